// SPDX-License-Identifier: Apache-2.0
// palette.js - values to colours. Zero has nearly the colour of the paper it lies on, so that a
// larger value is more ink; equal sizes of both signs have equal lightness.

const BLUE_RED = {
  light: '1f4e98 246dc4 4691dc 77b3e9 b0d3ef f3f1ec efc7ac e99c6f db713d c34816 9b311a',
  dark: '5bcbef 15a6db 1e80b5 2a5d87 2a3d54 1d2025 533325 844820 b0640e d5870d ecb255',
};
const VIRIDIS = '440154 472d7b 3b528b 2c728e 21918c 28ae80 5ec962 addc30 fde725';
const CIVIDIS = '00204c 00306f 2a406c 48526b 5e626e 727374 878479 9e9677 b6a971 d0be67 ead357 ffea46';
const MASK = { light: 'e4e1da 2757b8', dark: '23272d 8ab4ff' };
const HIDDEN = { light: 'd8d6cf bdbab1', dark: '2c3036 474d56' };
const both = (stops) => ({ light: stops, dark: stops });
const STOPS = {
  signed: BLUE_RED,
  index: both(VIRIDIS),
  cividis: both(CIVIDIS),
  grey: both('000000 ffffff'),
  mask: MASK,
};

/** The palettes that a reader may choose in place of the numbers' own: name -> stops. */
export const PALETTES = {
  diverging: 'signed',
  viridis: 'index',
  cividis: 'cividis',
  grey: 'grey',
};

const tables = new Map();

const channels = (hex) => [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16));
const pack = ([red, green, blue]) => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;

/** 256 packed colours (ABGR, as ImageData has them) of a palette in a theme. */
export function coloursOf(palette, theme) {
  const id = palette + theme;
  if (!tables.has(id)) {
    const stops = STOPS[palette][theme].split(' ').map(channels);
    tables.set(
      id,
      Uint32Array.from({ length: 256 }, (_, i) => {
        const at = (i / 255) * (stops.length - 1);
        const left = Math.min(stops.length - 2, Math.floor(at));
        return pack(
          stops[left].map((from, c) =>
            Math.round(from + (stops[left + 1][c] - from) * (at - left)),
          ),
        );
      }),
    );
  }
  return tables.get(id);
}

/** [ground, stroke] of masked entries, packed. */
export function hiddenColours(theme) {
  return HIDDEN[theme].split(' ').map((hex) => pack(channels(hex)));
}

/** A scale with zero in its middle, of numbers from low to high, so that equal colours are equal
 * sizes. `seen` is the part that occurs. */
function symmetric(palette, low, high) {
  const most = Math.max(-low, high) || 1;
  const seen = low >= 0 ? [0, most] : high <= 0 ? [-most, 0] : [-most, most];
  return { palette, low: -most, high: most, seen, extent: [low, high] };
}

/** The scale that fits the finite numbers: {palette, low, high, seen, masked}. */
export function scaleOf({ data, kind, hidden }, from = 0, end = data.length) {
  let low = Infinity,
    high = -Infinity,
    masked = 0;
  if (kind === 'mask') return { palette: 'mask', low: 0, high: 1, seen: [0, 1], masked };
  for (let i = from; i < end; i++) {
    const value = data[i];
    if (value <= hidden || value === -Infinity || value !== value) masked++;
    else if (value !== Infinity) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  if (low > high) low = high = 0;
  if (kind === 'index') return { palette: 'index', low, high, seen: [low, high], masked };
  return { ...symmetric('signed', low, high), masked };
}

/** One scale that holds what two scales of one palette hold. */
export function scaleOfBoth(a, b) {
  if (a.palette === 'mask') return a;
  const [x, y] = [a, b].map((scale) => scale.extent ?? scale.seen);
  const low = Math.min(x[0], y[0]),
    high = Math.max(x[1], y[1]),
    masked = a.masked + b.masked;
  return a.palette === 'signed'
    ? { ...symmetric('signed', low, high), masked }
    : { palette: a.palette, low, high, seen: [low, high], masked };
}

/** How many numbers have the colour of an end of the scale because they are beyond it. Masked ones
 * do not count. */
export function beyondOf({ data, hidden }, scale, from = 0, end = data.length) {
  let beyond = 0;
  for (let i = from; i < end; i++) {
    const value = data[i];
    if (value <= hidden || value === -Infinity) continue;
    if (value < scale.low || value > scale.high) beyond++;
  }
  return beyond;
}

/** The scale in the palette of this name, which reaches from the lowest to the highest number; a
 * diverging one has zero in its middle. A mask, and no name, leave the scale as it is. */
export function recoloured(scale, name) {
  const palette = PALETTES[name];
  if (!palette || scale.palette === 'mask') return scale;
  const extent = scale.extent ?? scale.seen,
    [low, high] = extent;
  if (palette !== 'signed')
    return { ...scale, palette, low, high, seen: [low, high], extent };
  return { ...scale, ...symmetric(palette, low, high) };
}

/** The number of the colour, 0 to 255, of a value. */
export function shadeOf(scale, value) {
  const share = (value - scale.low) / (scale.high - scale.low || 1);
  return Math.max(0, Math.min(255, Math.round(share * 255)));
}

/** The colours of the part that is seen, as stops of a CSS gradient. */
export function gradientOf(scale, theme) {
  const colours = coloursOf(scale.palette, theme);
  const [first, last] = scale.seen.map((value) => shadeOf(scale, value));
  const stops = Array.from({ length: 17 }, (_, i) => {
    const colour = colours[Math.round(first + ((last - first) * i) / 16)];
    return `rgb(${colour & 255} ${(colour >> 8) & 255} ${(colour >> 16) & 255})`;
  });
  return `linear-gradient(90deg, ${stops.join(',')})`;
}
