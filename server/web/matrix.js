// SPDX-License-Identifier: Apache-2.0
// matrix.js - two axes of a tensor with what they are called: the input of a heat map. Names,
// labels and kinds of columns are those of the schema.

import { brief, count } from './number.js';
import { positionsOf } from './query.js';
import { word } from './words.js';

const SQUARE = new Set([
  'q,k',
  'q_block,k_block',
  'pos,pos',
  'dim,dim',
  'from_node,to_node',
  'row,column',
  'h,w',
  'dy,dx',
]);
// The parameter whose list of values an axis has, by the axis's name.
const VALUES = { pos: 'pos', q: 'q', k: 'k', distance: 'distance', token: 'pos' };

/** A function of the index: the value that the entry of an axis stands for. */
export function valuesOf(axis, n, params) {
  const text = params[VALUES[axis?.name]];
  const list = text && /^[\d.,:\s-]+$/.test(text) ? positionsOf(text) : [];
  return list.length === n ? (i) => list[i] : (i) => i;
}

const cellText = (value) => (Number.isInteger(value) ? count(value) : brief(value, 6));

/** A function of the column: the pair it belongs to; null where columns are no pairs. */
function pairOf(output, params, columns) {
  const half = columns >> 1;
  if (output.columns === 'wave') {
    const layout = params.layout ?? 'interleaved';
    return layout === 'interleaved'
      ? (c) => c >> 1
      : layout === 'concat'
        ? (c) => c % half
        : null;
  }
  if (output.columns !== 'paired') return null;
  if (params.width !== 'full') return (c) => c;
  return params.pairing === 'adjacent' ? (c) => c >> 1 : (c) => c % half;
}

/** What a column of waves is, beside its number. */
function noteOf(output, params, columns) {
  const pair = pairOf(output, params, columns);
  if (output.columns !== 'wave' || !pair) return () => '';
  const isCosine = pair(1) === 0 ? (c) => c & 1 : (c) => c >= columns >> 1;
  return (c) => word(isCosine(c) ? 'pair {} · cos' : 'pair {} · sin', pair(c));
}

/** The columns that a step between positions shows falsely: their waves are shorter than two
 * steps. Null: none. */
export function aliasedOf(tensor, output, params, wavelengths) {
  const [rows, columns] = tensor.shape.slice(-2),
    pair = pairOf(output, params, columns);
  const at = valuesOf(output.axes.at(-2), rows, params),
    step = rows > 1 ? Math.abs(at(1) - at(0)) : 1;
  if (!pair || step <= 1) return null;
  return Uint8Array.from({ length: columns }, (_, c) =>
    wavelengths[pair(c)] < 2 * step ? 1 : 0,
  );
}

/** A matrix of the last two axes of a tensor, from its element `offset` on. */
export function matrixOf(tensor, output, params, offset = 0) {
  const [rows, columns] = tensor.shape.slice(-2);
  const axes = output.axes ?? [],
    [down, right] = axes.slice(-2);
  const { data, kind, dtype, hidden } = tensor;
  const rowValue = valuesOf(down, rows, params),
    columnValue = valuesOf(right, columns, params);
  const note = noteOf(output, params, columns);
  const woven = output.columns === 'wave' && (params.layout ?? 'interleaved') === 'interleaved';
  return {
    data,
    offset,
    rows,
    columns,
    kind,
    dtype,
    hidden,
    rowValue,
    columnValue,
    at: (row, column) => data[offset + row * columns + column],
    isHidden: (value) => value <= hidden || value === -Infinity || value !== value,
    rowName: down?.label ?? word('row'),
    columnName:
      output.columns === 'paired' && right?.label === word('column') && params.width !== 'full'
        ? word('pair')
        : (right?.label ?? word('column')),
    rowText: (row) => cellText(rowValue(row)),
    columnText: (c) => cellText(columnValue(c)),
    note: tensor.aliased ? (c) => (tensor.aliased[c] ? 'faster than the step' : note(c)) : note,
    aliased: tensor.aliased,
    weave: woven ? 2 : 1,
    square:
      SQUARE.has(`${down?.name},${right?.name}`) && rows / columns < 4 && columns / rows < 4,
  };
}
