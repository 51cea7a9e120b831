// SPDX-License-Identifier: Apache-2.0
// axis.js - the ticks of axes, at round values of what is counted, not of the row's number.

import { shape } from './element.js';
import { brief, count, ticks } from './number.js';

/** [[index, text]] of an axis of n entries, whose values are at(i). */
export function marksOf(n, at, about) {
  const first = at(0),
    last = at(n - 1),
    step = n > 1 ? (last - first) / (n - 1) : 1;
  const even =
    step > 0 &&
    [1, n >> 1].every(
      (i) => i >= n || Math.abs(at(i) - first - i * step) <= 1e-6 * Math.abs(step) * n,
    );
  if (!even) {
    return ticks(0, n - 1, about)
      .filter(Number.isInteger)
      .map((i) => [i, brief(at(i))]);
  }
  return ticks(first, last, about)
    .filter((value) => step < 1 || Number.isInteger(value))
    .map((value) => [
      (value - first) / step,
      Number.isInteger(value) ? count(value) : brief(value),
    ]);
}

/** Ticks and texts below a plot; place(index) is the pixel. */
export function across(marks, place, y) {
  return marks.flatMap(([index, text]) => [
    shape('line tick', { x1: place(index), x2: place(index), y1: y, y2: y + 4 }),
    shape('text tick', { x: place(index), y: y + 16, 'text-anchor': 'middle' }, text),
  ]);
}

/** Ticks and texts to the left of a plot. */
export function upright(marks, place, x) {
  return marks.flatMap(([index, text]) => [
    shape('line tick', { x1: x - 4, x2: x, y1: place(index), y2: place(index) }),
    shape('text tick', { x: x - 8, y: place(index) + 4, 'text-anchor': 'end' }, text),
  ]);
}

/** The names of the two axes, each at its end, with an arrow the way the values grow. */
export function names(box, right, down, grows = 'down') {
  const { left, top, width, height } = box;
  const upwards = grows === 'up';
  return [
    shape(
      'text name',
      { x: left + width, y: top + height + 31, 'text-anchor': 'end' },
      `${right} →`,
    ),
    shape(
      'text name',
      {
        transform: `translate(12 ${top}) rotate(-90)`,
        'text-anchor': 'end',
      },
      upwards ? `${down} →` : `← ${down}`,
    ),
  ];
}
