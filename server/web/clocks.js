// SPDX-License-Identifier: Apache-2.0
// clocks.js - the rotation of pairs as hands of clocks, with a slider for the position.

import { element, shape } from './element.js';
import { brief, count } from './number.js';

const TURN = 2 * Math.PI,
  RADIUS = 44,
  STEPS = 1000,
  START = 400,
  FACES = 8;

/** At most eight pairs from the fastest to the slowest, close together where they differ most. */
function chosenPairs(n) {
  const chosen = Array.from({ length: FACES }, (_, i) =>
    Math.round((n - 1) * (i / (FACES - 1)) ** 1.5),
  );
  return [...new Set(chosen)];
}

/** The clock of a pair: {node, set(position)}. The hand turns with the frequency's sign. */
function clockOf(pair, frequency) {
  const hand = shape('line hand'),
    tip = shape('circle tip', { r: 4 }),
    sector = shape('path sector');
  const turned = element('span.mono');
  const period = frequency ? `period ${brief(TURN / frequency, 3)}` : 'does not turn';
  const node = element(
    'div.clock',
    {},
    shape(
      'svg',
      { viewBox: '-52 -52 104 104', 'aria-hidden': 'true' },
      shape('circle face', { r: RADIUS }),
      shape('path zero', { d: 'M-44 0H44M0 -44V44' }),
      sector,
      hand,
      tip,
    ),
    element('b', {}, `pair ${pair}`),
    element('span.faint', {}, period),
    turned,
  );
  const set = (position) => {
    const angle = position * frequency,
      rest = angle % TURN;
    const x = RADIUS * Math.cos(rest),
      y = -RADIUS * Math.sin(rest);
    hand.setAttribute('x2', x);
    hand.setAttribute('y2', y);
    tip.setAttribute('cx', x);
    tip.setAttribute('cy', y);
    sector.setAttribute(
      'd',
      `M0 0H${RADIUS}A${RADIUS} ${RADIUS} 0 ${rest > Math.PI ? 1 : 0} 0 ${x} ${y}Z`,
    );
    turned.textContent =
      angle >= TURN
        ? `${brief(angle / TURN, 3)} turns`
        : `${brief((angle * 180) / Math.PI, 3)}°`;
  };
  return { node, set };
}

/** A row of clocks over the frequencies, radians a position. view: {longest: the last position,
 * position: where the hands are, turned(position): called when the reader turns them}. */
export function clocks(frequencies, { longest, position, turned }) {
  const faces = chosenPairs(frequencies.length).map((pair) => clockOf(pair, frequencies[pair]));
  const shown = element('output.mono');
  // the slider is logarithmic: the first positions and all others are in reach
  const toPosition = (place) => Math.round((longest + 1) ** (place / STEPS)) - 1;
  const toPlace = (at) => Math.round((STEPS * Math.log(at + 1)) / Math.log(longest + 1));
  const asked = /^\d+$/.test(position ?? '') ? Math.min(longest, Number(position)) : undefined;
  const slider = element('input', {
    type: 'range',
    min: 0,
    max: STEPS,
    value: asked === undefined ? START : toPlace(asked),
    'aria-label': 'position',
    oninput: () => {
      place(toPosition(slider.valueAsNumber));
      turned(toPosition(slider.valueAsNumber));
    },
  });
  const place = (at) => {
    shown.textContent = count(at);
    slider.setAttribute('aria-valuetext', `position ${at}`);
    faces.forEach((face) => face.set(at));
  };
  place(asked ?? toPosition(START));
  return element(
    'section.rotation',
    {},
    element(
      'p.lead',
      {},
      'Each pair of coordinates is the hand of a clock. With each position every hand moves on: the first ones fast, the last ones hardly at all.',
    ),
    element('label.slide', {}, element('span', {}, 'position'), slider, shown),
    element(
      'div.clocks',
      {},
      faces.map((face) => face.node),
    ),
  );
}
