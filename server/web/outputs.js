// SPDX-License-Identifier: Apache-2.0
// outputs.js - the buttons over the figure: the outputs of the encoding, the rotation of its pairs,
// and the way to the encoding's twin that works on vectors. Many outputs are in groups, by what the
// schema says that their axes count.

import { element } from './element.js';
import { pageAt } from './site.js';

const MANY = 9; // outputs that are in groups
const GROUPS = [
  ['Tables', ({ axes }) => axes.length > 1],
  ['Pairs', ({ axes }) => axes.length === 1 && axes[0].name === 'pair'],
  ['Properties', () => true],
];

/** Whether so many outputs are in groups. */
export const isGrouped = (count) => count >= MANY;

/** The output from whose numbers the clocks are drawn; undefined: pairs do not rotate. */
export function rotatingOutput({ family, outputs }) {
  const named = (name) => outputs.find((one) => one.name === name);
  return family === 'rotary' && named('wavelengths') ? named('inv_freq') : undefined;
}

/** [[output, button]] of the outputs, with the rotation beside its output. */
function buttonsOf({ schema, output, view }, open) {
  const button = (text, pressed, act, title) =>
    element(
      'button',
      { type: 'button', 'aria-pressed': String(pressed), title, onclick: act },
      text,
    );
  const buttons = schema.outputs.map((one) => [
    one,
    button(one.name.replaceAll('_', ' '), one === output && !view, () => open(one), one.label),
  ]);
  const rotating = rotatingOutput(schema);
  if (rotating)
    buttons.splice(schema.outputs.filter((one) => one.default).length, 0, [
      rotating,
      button(
        'rotation',
        view === 'rotation',
        () => open(rotating, 'rotation'),
        'Pairs as hands of clocks',
      ),
    ]);
  return buttons;
}

/** A group with its label. */
function groupOf(label, members, number) {
  const id = `outputs-${number}`;
  return element(
    'div.kind',
    { role: 'group', 'aria-labelledby': id },
    element('span.label', { id }, label),
    element('div.tabs', {}, members),
  );
}

/** Fills the place. state: {schema, output, view}; open(output, view) is called for a choice. */
export function listOutputs(place, state, open) {
  const { twin, outputs } = state.schema;
  const buttons = buttonsOf(state, open);
  const more = twin
    ? [element('a', { href: pageAt(`/explore/${twin}`) }, 'apply to vectors')]
    : [];
  if (isGrouped(outputs.length)) {
    const kindOf = (output) => GROUPS.find(([, has]) => has(output));
    const groups = GROUPS.map((kind, i) => {
      const members = buttons.filter(([output]) => kindOf(output) === kind);
      const last = i === 0 ? more : [];
      return [kind[0], [...members.map(([, node]) => node), ...last]];
    });
    const shown = groups.filter(([, members]) => members.length);
    place.replaceChildren(...shown.map(([label, members], i) => groupOf(label, members, i)));
  } else place.replaceChildren(...buttons.map(([, node]) => node), ...more);
  const chosen = place.querySelector('[aria-pressed=true]');
  const row = chosen?.parentNode;
  if (chosen) row.scrollLeft = Math.max(0, chosen.offsetLeft - row.clientWidth / 2);
}
