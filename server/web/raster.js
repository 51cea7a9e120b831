// SPDX-License-Identifier: Apache-2.0
// raster.js - paints the cells of a matrix. Where a pixel covers several cells it has their mean
// (of a mask: the share that is set), so that what is too fine to be seen fades and draws no
// false waves; of indices, whose mean says nothing, it has the first.

import { coloursOf, hiddenColours, shadeOf } from './palette.js';

const HATCH = 6; // pixels of CSS between two strokes over masked cells

/** The cell in which each pixel begins, and one more. */
function edges(cells, pixels) {
  return Int32Array.from({ length: pixels + 1 }, (_, i) => Math.floor((i * cells) / pixels));
}

/** The mean of the cells of a block that are not hidden; NaN: all are. */
function meanOf({ data, offset, columns, hidden }, top, bottom, left, right) {
  let sum = 0,
    number = 0;
  for (let row = top; row < bottom; row++) {
    const end = offset + row * columns + right;
    for (let i = offset + row * columns + left; i < end; i++) {
      const value = data[i];
      if (!(value <= hidden) && value !== -Infinity && value === value) {
        sum += value;
        number++;
      }
    }
  }
  return number ? sum / number : NaN;
}

/** Paints the matrix {data, offset, rows, columns, kind, hidden} over the whole canvas. ratio:
 * pixels of the canvas to one of CSS; 0: masked cells have no hatch. */
export function paint(canvas, matrix, scale, theme, ratio = 1) {
  const { data, offset, rows, columns, kind, hidden, aliased } = matrix;
  const { width, height } = canvas;
  const context = canvas.getContext('2d');
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const colours = coloursOf(scale.palette, theme);
  const [ground, stroke] = hiddenColours(theme);
  const across = edges(columns, width),
    down = edges(rows, height);
  const means = kind !== 'index' && (columns > width || rows > height);
  const period = Math.round(HATCH * ratio),
    thick = Math.max(1, Math.round(ratio)); // of a stroke
  let plain = false; // the line above has no hatch, so it may be copied

  for (let y = 0, to = 0; y < height; y++) {
    const top = down[y],
      bottom = Math.max(down[y + 1], top + 1);
    if (plain && top === down[y - 1]) {
      pixels.copyWithin(to, to - width, to);
      to += width;
      continue;
    }
    plain = !means || rows <= height;
    for (let x = 0; x < width; x++, to++) {
      const left = across[x];
      const value = means
        ? meanOf(matrix, top, bottom, left, Math.max(across[x + 1], left + 1))
        : data[offset + top * columns + left];
      if (value <= hidden || value === -Infinity || value !== value || aliased?.[left]) {
        pixels[to] = period && (x + y) % period < thick ? stroke : ground;
        plain = false;
      } else {
        pixels[to] = colours[shadeOf(scale, value)];
      }
    }
  }
  context.putImageData(image, 0, 0);
}

/** Paints one pixel a cell, for small pictures that CSS enlarges. */
export function paintSmall(canvas, matrix, scale, theme) {
  canvas.width = Math.min(256, matrix.columns);
  canvas.height = Math.min(256, matrix.rows);
  paint(canvas, matrix, scale, theme, 0);
}
