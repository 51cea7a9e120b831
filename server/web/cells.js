// SPDX-License-Identifier: Apache-2.0
// cells.js - a small matrix with its numbers in its cells: a table, whose colours follow the theme.

import { element } from './element.js';
import { brief } from './number.js';

const DIGITS = 3;
const INK = 42; // percent of colour in a cell of the largest number, on which ink is readable

/** The table of a matrix of at most two axes. name: what it is; upright: a row as a column. */
export function cells({ shape, data, hidden }, name, upright = false) {
  const columns = upright ? 1 : (shape.at(-1) ?? 1);
  const rows = Math.max(1, Math.round(data.length / columns));
  const finite = Array.from(data, Number).filter((value) => Number.isFinite(value));
  const most = Math.max(...finite.map(Math.abs), 1e-30);
  const cell = (at) => {
    const value = Number(data[at]);
    if (value <= hidden) return element('td.masked', {}, '·');
    const share = `${Math.round((INK * Math.abs(value)) / most)}%`;
    return element(`td.${value < 0 ? 'less' : 'more'}`, { style: { '--share': share } }, brief(value, DIGITS));
  };
  return element(
    'div.scroll',
    { tabindex: 0, role: 'region', 'aria-label': name },
    element(
      'table.cells',
      {},
      element(
        'tbody',
        {},
        Array.from({ length: rows }, (_, row) =>
          element(
            'tr',
            {},
            Array.from({ length: columns }, (_, column) => cell(row * columns + column)),
          ),
        ),
      ),
    ),
  );
}
