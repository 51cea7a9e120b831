// SPDX-License-Identifier: Apache-2.0
// bars.js - a bar for each of some places, such as pairs or positions, with the numbers below.

import { element, onResize, shape } from './element.js';
import { brief } from './number.js';

const HEIGHT = 150;
const BOX = { left: 56, right: 4, top: 10, bottom: 26 };
const WIDEST = 22; // pixels of a bar
const LABEL = 44; // pixels that a label takes

/** A figure of [[place, size]], which is told in words too. */
export function bars(title, unit, points, text) {
  const most = Math.max(...points.map(([, size]) => size), 0);
  const told = points.map(([place, size]) => `${place}: ${brief(size)}`).join(', ');
  const svg = shape('svg bars', {
    height: HEIGHT,
    role: 'img',
    'aria-label': `${title}. By ${unit}: ${told}`,
  });
  const draw = () => {
    const width = svg.parentNode.clientWidth;
    const step = Math.max(0, width - BOX.left - BOX.right) / points.length;
    const floor = HEIGHT - BOX.bottom;
    const every = step > 0 ? Math.ceil(LABEL / step) : 1;
    svg.setAttribute('viewBox', `0 0 ${width} ${HEIGHT}`);
    svg.replaceChildren(
      shape('line axis', { x1: BOX.left, x2: width - BOX.right, y1: floor, y2: floor }),
      shape('text tick', { x: BOX.left - 8, y: floor + 4, 'text-anchor': 'end' }, '0'),
      shape('text tick', { x: BOX.left - 8, y: BOX.top + 8, 'text-anchor': 'end' }, brief(most)),
      shape('text tick', { x: BOX.left - 8, y: HEIGHT - 8, 'text-anchor': 'end' }, unit),
      ...points.flatMap(([place, size], i) => {
        const middle = BOX.left + (i + 0.5) * step;
        const height = most > 0 ? (Math.min(size, most) / most) * (floor - BOX.top) : 0;
        const wide = Math.min(WIDEST, step * 0.7);
        return [
          shape('rect beam', { x: middle - wide / 2, y: floor - height, width: wide, height }),
          i % every === 0 || (i === points.length - 1 && every === 1)
            ? shape('text tick', { x: middle, y: HEIGHT - 8, 'text-anchor': 'middle' }, String(place))
            : '',
        ];
      }),
    );
  };
  const figure = element(
    'figure.where',
    {},
    element('h3', {}, title),
    element('div', {}, svg),
    element('p.faint', {}, text),
  );
  onResize(svg.parentNode, draw);
  return figure;
}

/** Two errors, on one logarithmic scale down to the rounding of float32. */
export function beforeAfter(rows) {
  const least = 1e-9;
  const high = Math.max(...rows.map(([, size]) => size), least * 10);
  const share = (size) => Math.log(Math.max(size, least) / least) / Math.log(high / least);
  return element(
    'dl.errors',
    {},
    rows.map(([name, size, tone]) => {
      const style = { 'inline-size': `${Math.max(1, 100 * share(size))}%` };
      const bar = element(`i.${tone}`, { 'aria-hidden': 'true', style });
      return [
        element('dt', {}, name),
        element('dd', {}, element('span', {}, bar), element('b.mono', {}, brief(size, 3))),
      ];
    }),
  );
}
