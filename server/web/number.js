// SPDX-License-Identifier: Apache-2.0
// number.js - numbers as people read them: with thin spaces, a true minus, and round ticks.

export const MINUS = '\u2212';
const THIN = '\u202f';

const signed = (text) => text.replace(/-/g, MINUS);

/** An integer with thin spaces between thousands from five digits on: 131 072. */
export function count(value) {
  if (Math.abs(value) < 10000) return signed(String(value));
  return signed(String(value).replace(/\B(?=(\d{3})+$)/g, THIN));
}

/** Bytes in decimal units: 65.7 kB. */
export function bytes(value) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const rank = value < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(value) / 3));
  return `${rank ? (value / 1000 ** rank).toFixed(1) : value}${THIN}${units[rank]}`;
}

/** A short text of at most `digits` significant digits, for ticks and legends. */
export function brief(value, digits = 4) {
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (!Number.isFinite(value)) return signed(String(value).replace('Infinity', '∞'));
  if (size >= 1e6 && size < 1e12 && digits <= 4)
    return signed(`${Number((value / 1e6).toPrecision(3))}${THIN}M`);
  if (size >= 1e6 || size < 1e-3)
    return signed(Number(value.toPrecision(digits === 4 ? 3 : digits)).toExponential()).replace(
      'e+',
      'e',
    );
  if (size >= 1e4) return count(Math.round(value));
  return signed(String(Number(value.toPrecision(digits))));
}

/** The shortest decimal text that gives the number of this element type back. */
export function exact(value, dtype) {
  if (dtype !== 'f32' && dtype !== 'f16') return signed(String(value));
  for (let digits = 1; digits < 9; digits++) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return signed(String(Number(text)));
  }
  return signed(String(Number(value.toPrecision(9))));
}

/** Multiples of 1, 2 or 5 times a power of ten from low to high, about as many as asked. */
export function ticks(low, high, about) {
  const rough = (high - low) / Math.max(1, about) || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough * 0.9999);
  const found = [];
  for (let i = Math.ceil(low / step - 1e-6); i * step <= high + step * 1e-6; i++)
    found.push(Number((i * step).toPrecision(12)));
  return found;
}

/** Powers of ten from 10^low to 10^high; with 2 and 5 times them where there are few. */
export function decades(low, high) {
  const found = [];
  const factors = high - low < 2 ? [1, 2, 5] : [1];
  for (let power = Math.floor(low); power <= high; power++)
    for (const factor of factors) {
      const at = power + Math.log10(factor);
      if (at >= low - 1e-9 && at <= high + 1e-9) found.push(factor * 10 ** power);
    }
  return found;
}
