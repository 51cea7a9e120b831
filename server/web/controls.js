// SPDX-License-Identifier: Apache-2.0
// controls.js - the controls of a figure in a chapter: sliders and choices. Their names and texts
// are those of the document.

import { element } from './element.js';
import { brief, count } from './number.js';

const STEPS = 200; // of a logarithmic slider

/** A request with the values of controls in its holes: {p} is a value, {p+k} a sum. */
export function filled(template, values) {
  const value = (_, first, second) =>
    second ? String(Number(values[first]) + Number(values[second])) : values[first];
  let text = template;
  while (/\{\w/.test(text)) text = text.replace(/\{(\w+)(?:\+(\w+))?\}/g, value);
  return text;
}

const shown = (value) => (Number.isInteger(value) ? count(value) : brief(value));

/** A slider: {node, set(value)}. A logarithmic one has two digits. */
function sliderOf({ name, low, high, log, label }, given, changed) {
  const toPlace = (value) =>
    log ? (STEPS * Math.log(value / low)) / Math.log(high / low) : value;
  const toValue = (place) =>
    log ? Math.round(Number((low * (high / low) ** (place / STEPS)).toPrecision(2))) : place;
  const output = element('output.mono');
  const input = element('input', {
    type: 'range',
    min: log ? 0 : low,
    max: log ? STEPS : high,
    'aria-label': label,
    oninput: () => changed(name, String(toValue(input.valueAsNumber))),
  });
  const set = (text) => {
    const value = Number(text);
    input.value = Math.round(toPlace(value));
    output.textContent = shown(value);
    input.setAttribute('aria-valuetext', `${label} ${value}`);
  };
  set(given);
  return { node: element('label.slide', {}, element('span', {}, label), input, output), set };
}

/** Choices as buttons, of which one is pressed: {node, set(value)}. */
function choicesOf({ name, options }, given, changed) {
  const note = element('p.note', { 'aria-live': 'polite' });
  const buttons = options.map(([value, text]) =>
    element('button.chip', { type: 'button', onclick: () => changed(name, value) }, text),
  );
  const set = (value) => {
    options.forEach((one, i) =>
      buttons[i].setAttribute('aria-pressed', String(one[0] === value)),
    );
    note.textContent = options.find((one) => one[0] === value)?.[2] ?? '';
  };
  set(given);
  return { node: element('div', {}, element('div.row', { role: 'group' }, buttons), note), set };
}

/** The control; null for a single choice, which is a constant of the figure. */
export function controlOf(spec, given, changed) {
  if (!spec.options) return sliderOf(spec, given, changed);
  return spec.options.length > 1 ? choicesOf(spec, given, changed) : null;
}

/** The value that a word of the URL has: a choice is named by its number. */
export function readWord(spec, word) {
  if (word === undefined) return spec.value;
  if (spec.options) return spec.options[Number(word)]?.[0] ?? spec.value;
  const value = Number(word);
  return value >= spec.low && value <= spec.high ? String(value) : spec.value;
}

/** The word of the URL for a value; undefined for the one that the figure begins with. */
export function writeWord(spec, value) {
  if (value === spec.value) return undefined;
  return spec.options ? String(spec.options.findIndex((one) => one[0] === value)) : value;
}
