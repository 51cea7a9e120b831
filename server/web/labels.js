// SPDX-License-Identifier: Apache-2.0
// labels.js - the numbers of a small matrix in its cells, where each has the room for its own.

import { shape } from './element.js';
import { brief, MINUS } from './number.js';
import { coloursOf, shadeOf } from './palette.js';

const MOST = 16; // rows, and columns
const LEAST_HEIGHT = 15; // pixels of a cell
const NARROW = 44; // pixels of a cell whose letters are smaller
const LETTERS = { narrow: 6.05, wide: 6.65 }; // pixels
const DECIMALS = [4, 3, 2];
const SMALL = 0.1; // the largest number of a matrix whose numbers have digits, not decimals

/** Whether pale letters have more contrast than dark ones on a packed colour (WCAG's luminance, the
 * power of sRGB by 2.2). */
function isDark(colour) {
  const [red, green, blue] = [0, 8, 16].map((shift) => (((colour >> shift) & 255) / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.19;
}

/** A number with so many decimals, or so many digits where decimals would be zeros. */
function textOf(value, decimals, isSmall) {
  if (value === null) return '';
  if (isSmall || Number.isInteger(value)) return brief(value, decimals);
  return value.toFixed(decimals).replace('-', MINUS);
}

/** The texts of all cells, with as many decimals as fit; null: none do. */
function textsOf(values, room) {
  const isSmall = values.every((value) => Math.abs(value) < SMALL);
  for (const decimals of DECIMALS) {
    const texts = values.map((value) => textOf(value, decimals, isSmall));
    if (texts.every((text) => text.length <= room)) return texts;
  }
  return null;
}

/** The numbers of a matrix that is shown in the box; none of a large one, or of a mask. */
export function labelsOf(box, matrix, scale, theme) {
  const { rows, columns, kind } = matrix;
  const width = box.width / columns,
    height = box.height / rows;
  if (rows > MOST || columns > MOST || kind === 'mask' || height < LEAST_HEIGHT) return [];
  const values = Array.from({ length: rows * columns }, (_, i) => {
    const value = matrix.at(Math.floor(i / columns), i % columns);
    return matrix.isHidden(value) ? null : Number(value);
  });
  const colours = coloursOf(scale.palette, theme);
  const size = width < NARROW ? 'narrow' : 'wide';
  return (textsOf(values, (width - 2) / LETTERS[size]) ?? []).map((text, i) =>
    shape(
      `text label ${size} ${text && isDark(colours[shadeOf(scale, values[i])]) ? 'pale' : 'dark'}`,
      {
        x: box.left + ((i % columns) + 0.5) * width,
        y: box.top + (Math.floor(i / columns) + 0.5) * height + 4,
        'text-anchor': 'middle',
      },
      text,
    ),
  );
}
