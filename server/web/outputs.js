// SPDX-License-Identifier: Apache-2.0
// outputs.js - the row of buttons over the figure: the outputs of the encoding, the rotation of
// its pairs, and the way to the encoding's twin that works on vectors.

import { element } from './element.js';
import { pageAt } from './site.js';

/** The output from whose numbers the clocks are drawn; undefined: pairs do not rotate. */
export function rotatingOutput({ family, outputs }) {
  const named = (name) => outputs.find((one) => one.name === name);
  return family === 'rotary' && named('wavelengths') ? named('inv_freq') : undefined;
}

/** Fills the row. state: {schema, output, view}; open(output, view) is called for a choice. */
export function listOutputs(row, { schema, output, view }, open) {
  const button = (text, pressed, act, title) =>
    element(
      'button',
      { type: 'button', 'aria-pressed': String(pressed), title, onclick: act },
      text,
    );
  const buttons = schema.outputs.map((one) =>
    button(one.name.replaceAll('_', ' '), one === output && !view, () => open(one), one.label),
  );
  const rotating = rotatingOutput(schema);
  if (rotating)
    buttons.splice(
      schema.outputs.filter((one) => one.default).length,
      0,
      button(
        'rotation',
        view === 'rotation',
        () => open(rotating, 'rotation'),
        'Pairs as hands of clocks',
      ),
    );
  if (schema.twin)
    buttons.push(
      element('a', { href: pageAt(`/explore/${schema.twin}`) }, 'apply to vectors'),
    );
  row.replaceChildren(...buttons);
  const chosen = row.querySelector('[aria-pressed=true]');
  if (chosen) row.scrollLeft = Math.max(0, chosen.offsetLeft - row.clientWidth / 2);
}
