// SPDX-License-Identifier: Apache-2.0
// field.js - the control of one parameter, by the type that the schema gives it.

import { element } from './element.js';
import { rangeOf } from './range.js';

const SHORT = 11; // characters of a choice that fits into a segment

/** A switch, for a boolean. */
function toggle(param, id, value, fallback, set, described) {
  return element(
    'label.switch',
    {},
    element('input', {
      ...described,
      id,
      type: 'checkbox',
      role: 'switch',
      checked: /^(1|true)$/.test(value ?? String(Number(fallback ?? 0))),
      onchange: (event) => set(event.target.checked ? '1' : '0'),
    }),
    element('span', { 'aria-hidden': 'true' }),
  );
}

/** Up to three short choices, side by side. */
function segments(param, id, value, fallback, set) {
  return element(
    'div.segments',
    { id, role: 'radiogroup', 'aria-label': param.name },
    param.choices.map((choice) =>
      element(
        'label',
        {},
        element('input', {
          type: 'radio',
          name: id,
          value: choice.name,
          checked: choice.name === (value ?? String(fallback)),
          onchange: () => set(choice.name),
        }),
        element('span', {}, choice.name),
      ),
    ),
  );
}

function select(param, id, value, fallback, set, described) {
  const chosen = value ?? fallback;
  const known = param.choices.find(
    (choice) => choice.name === chosen || choice.aliases?.includes(chosen),
  );
  return element(
    'select',
    { ...described, id, onchange: (event) => set(event.target.value) },
    known ? null : element('option', { value: '', selected: true }, '–'),
    param.choices.map((choice) =>
      element('option', { value: choice.name, selected: choice === known }, choice.name),
    ),
  );
}

/** The next value for an arrow key: one step, or with Shift the double and the half. */
function stepped(param, text, up, shift) {
  const now = Number(text || param.minimum || 1),
    by = param.multipleOf ?? 1;
  const next = shift ? (up ? now * 2 : Math.ceil(now / 2 / by) * by) : now + (up ? by : -by);
  return String(
    Math.min(param.maximum ?? Infinity, Math.max(param.minimum ?? -Infinity, next)),
  );
}

function box(param, id, value, fallback, set, described) {
  const list = param.suggestions ?? param.words;
  const input = element('input', {
    ...described,
    id,
    type: 'text',
    value,
    spellcheck: 'false',
    autocomplete: 'off',
    placeholder: fallback ?? (param.required ? 'required' : '–'),
    list: list ? `${id}-list` : null,
    inputmode: { integer: 'numeric', number: 'decimal' }[param.type] ?? 'text',
    onchange: (event) => set(event.target.value.trim()),
  });
  if (param.type === 'integer') {
    input.addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
      event.preventDefault();
      set(stepped(param, input.value || fallback, event.key === 'ArrowUp', event.shiftKey));
    });
  }
  return list
    ? [
        input,
        element(
          'datalist',
          { id: `${id}-list` },
          list.map((one) => element('option', { value: one })),
        ),
      ]
    : input;
}

const isShort = (choices) =>
  choices && choices.length <= 3 && choices.every((one) => one.name.length < SHORT);

/** The slider below the box of a number, which shows where it is. */
function slide(param, id, value, fallback, { drag, rest }) {
  if (param.choices) return null;
  const moved = (text) => {
    document.getElementById(id).value = text;
    drag(text);
  };
  return rangeOf(param, `r-${param.name}`, String(value ?? fallback ?? ''), { moved, rested: rest });
}

/** The field of a parameter. value: what is set, if it is; fallback: what holds without it;
 * problem: a sentence of the service about it; set(text): '' takes the value away; drag(text): the
 * value while a slider is dragged, which is at rest when rest() is called. */
export function field(param, { value, fallback, problem, set, drag, rest }) {
  const id = `p-${param.name}`,
    grouped = isShort(param.choices);
  const described = {
    'aria-describedby': `${id}-doc`,
    'aria-invalid': problem ? 'true' : null,
  };
  const make =
    param.type === 'boolean' ? toggle : grouped ? segments : param.choices ? select : box;
  const chosen = param.choices?.find((choice) => choice.name === (value ?? String(fallback)));
  const clear =
    value === undefined
      ? null
      : element(
          'button.clear',
          {
            type: 'button',
            title: `back to ${fallback ?? 'none'}`,
            'aria-label': `take ${param.name} away`,
            onclick: () => set(''),
          },
          '×',
        );
  const label = element(
    grouped ? 'span.label' : 'label',
    grouped ? {} : { for: id },
    param.name,
  );
  const classes = `${value === undefined ? '' : '.set'}${problem ? '.wrong' : ''}`;
  return element(
    `div.field${classes}`,
    {},
    element(
      'div.top',
      {},
      label,
      param.unit ? element('span.faint', {}, param.unit) : null,
      clear,
    ),
    make(param, id, value, fallback, set, described),
    slide(param, id, value, fallback, { drag, rest }),
    element('p.doc', { id: `${id}-doc` }, problem ?? chosen?.doc ?? param.doc),
  );
}
