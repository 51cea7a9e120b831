// SPDX-License-Identifier: Apache-2.0
// crosshair.js - what lies over the cells of a heat map: the chosen cell, its row and its column
// as bands, and both as curves beside the map.

import { shape } from './element.js';
import { word } from './words.js';

/** The path of a curve through the entries from `first` on, every `step`-th; masked ones are
 * gaps. along(i) is the pixel of an entry, across(value) the pixel of a value. */
function curve({ n, valueAt, isHidden, along, across, upright, stepped, first = 0, step = 1 }) {
  let path = '',
    drawing = false;
  const half = Math.abs(along(1) - along(0)) / 2;
  const point = (a, b) => (upright ? [b, a] : [a, b]).map((v) => v.toFixed(1)).join(' ');
  for (let i = first; i < n; i += step) {
    const value = valueAt(i);
    if (isHidden(value)) {
      drawing = false;
      continue;
    }
    const a = along(i),
      b = across(value);
    path += stepped
      ? `${drawing ? 'L' : 'M'}${point(a - half, b)}L${point(a + half, b)}`
      : `${drawing ? 'L' : 'M'}${point(a, b)}`;
    drawing = true;
  }
  return path;
}

/** The bands and the frame of the cell. */
export function hair(box, matrix, cell) {
  const { left, top, width, height } = box;
  const w = width / matrix.columns,
    h = height / matrix.rows;
  const x = left + (cell.column + 0.5) * w,
    y = top + (cell.row + 0.5) * h;
  const cw = Math.max(w, 7),
    ch = Math.max(h, 7);
  const frame = (name, more) =>
    shape(`rect ${name}`, {
      x: x - cw / 2 - more,
      y: y - ch / 2 - more,
      width: cw + 2 * more,
      height: ch + 2 * more,
    });
  return [
    shape('rect band', { x: left, y: y - Math.max(h, 1) / 2, width, height: Math.max(h, 1) }),
    shape('rect band', { x: x - Math.max(w, 1) / 2, y: top, width: Math.max(w, 1), height }),
    frame('halo', 1.5),
    frame('cell', 0),
  ];
}

/** Where a value is between the ends of the scale, 0 to 1: beyond them it stays at the end. */
const shareOf = (value, [low, high]) =>
  (Math.max(low, Math.min(high, value)) - low) / (high - low || 1);

/** The row below the map. With a weave of 2 sines and cosines are two curves. */
export function rowCurve(box, matrix, cell, scale) {
  const { left, top, width, height } = box;
  const y1 = top + height + 42,
    y0 = y1 + box.rowHeight - 8,
    w = width / matrix.columns;
  const [low, high] = scale.seen;
  const across = (value) => y0 + shareOf(value, scale.seen) * (y1 - y0);
  const along = (i) => left + (i + 0.5) * w;
  const zero = Math.max(low, Math.min(high, 0));
  const parts = [
    shape('line zero', { x1: left, x2: left + width, y1: across(zero), y2: across(zero) }),
  ];
  for (let k = 0; k < matrix.weave; k++) {
    const other = matrix.weave > 1 && k !== cell.column % matrix.weave;
    parts.push(
      shape(`path curve ${other ? 'other' : 'own'}`, {
        d: curve({
          n: matrix.columns,
          along,
          across,
          first: k,
          step: matrix.weave,
          valueAt: (i) => matrix.at(cell.row, i),
          isHidden: matrix.isHidden,
          stepped: matrix.kind !== 'real',
        }),
      }),
    );
  }
  parts.push(
    shape('line guide', {
      x1: along(cell.column),
      x2: along(cell.column),
      y1: top + height + 38,
      y2: y0,
    }),
  );
  if (left > 44)
    parts.push(
      shape('text aside', { x: left - 8, y: (y0 + y1) / 2 + 4, 'text-anchor': 'end' }, word('row')),
    );
  return parts;
}

/** The column to the right of the map. */
export function columnCurve(box, matrix, cell, scale) {
  const { left, top, width, height } = box;
  const x0 = left + width + 20,
    x1 = x0 + box.columnWidth - 28,
    h = height / matrix.rows;
  const [low, high] = scale.seen;
  const across = (value) => x0 + shareOf(value, scale.seen) * (x1 - x0);
  const along = (i) => top + (i + 0.5) * h;
  const zero = across(Math.max(low, Math.min(high, 0)));
  return [
    shape('line zero', { x1: zero, x2: zero, y1: top, y2: top + height }),
    shape('path curve own', {
      d: curve({
        n: matrix.rows,
        along,
        across,
        upright: true,
        valueAt: (i) => matrix.at(i, cell.column),
        isHidden: matrix.isHidden,
        stepped: matrix.kind !== 'real',
      }),
    }),
    shape('line guide', {
      x1: left + width + 8,
      x2: x1,
      y1: along(cell.row),
      y2: along(cell.row),
    }),
    shape(
      'text aside',
      { x: (x0 + x1) / 2, y: top + height + 16, 'text-anchor': 'middle' },
      word('column'),
    ),
  ];
}
