// SPDX-License-Identifier: Apache-2.0
// range.js - the slider of a parameter that is a number: its ends are those of the schema's row, and
// where these are decades apart it is logarithmic, around the value that it had first.

import { element } from './element.js';

const STEPS = 400;
const WIDE = 100; // times the low end from which a range is logarithmic
const AROUND = { integer: 16, number: 1000 }; // times the first value, to both sides
const DIGITS = 3; // of a number

const anchors = new Map(); // parameter -> its first value

/** {low, high, log} of a parameter; null: its row has no ends, or it has no value yet. */
function endsOf(param, value) {
  const low = param.minimum ?? param.exclusiveMinimum,
    high = param.maximum ?? param.exclusiveMaximum;
  if (low === undefined || high === undefined || !Number.isFinite(value)) return null;
  if (high - low <= WIDE && high <= WIDE * Math.max(1, low)) return { low, high, log: false };
  if (!(value > 0)) return null;
  if (!anchors.has(param)) anchors.set(param, value);
  const at = anchors.get(param),
    by = AROUND[param.type];
  const ends = [Math.max(low, at / by, param.type === 'integer' ? 1 : 0), Math.min(high, at * by)];
  return value < ends[0] || value > ends[1]
    ? { low: Math.min(ends[0], value), high: Math.max(ends[1], value), log: true }
    : { low: ends[0], high: ends[1], log: true };
}

/** The text of a value that the parameter takes. */
function textOf(param, value, low, high) {
  const by = param.multipleOf ?? 1;
  if (param.type === 'integer') {
    const least = Math.ceil(low / by) * by;
    return String(Math.max(least, Math.min(Math.floor(high / by) * by, Math.round(value / by) * by)));
  }
  const round = Number(value.toPrecision(DIGITS));
  const open = round === param.exclusiveMinimum || round === param.exclusiveMaximum;
  return String(open ? (low + high) / 2 : Math.max(low, Math.min(high, round)));
}

/** The slider; null where the parameter has none. moved(text): while it is dragged; rested(): when it
 * is let go, perhaps more than once. */
export function rangeOf(param, id, text, { moved, rested }) {
  const value = Number(text);
  const ends = param.type in AROUND && text !== '' ? endsOf(param, value) : null;
  if (!ends) return null;
  const { low, high, log } = ends;
  const share = log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  const valueAt = (at) => (log ? low * (high / low) ** at : low + (high - low) * at);
  let last = text;
  const slider = element('input', {
    id,
    type: 'range',
    min: 0,
    max: STEPS,
    value: Math.round(STEPS * share),
    'aria-label': param.name,
    'aria-valuetext': text,
    oninput: () => {
      const next = textOf(param, valueAt(slider.valueAsNumber / STEPS), low, high);
      slider.setAttribute('aria-valuetext', next);
      if (next !== last) moved(next);
      last = next;
    },
    // A browser may tell no change where a drag ends at the value that it began with.
    onchange: () => rested(),
    onpointerup: () => rested(),
    onpointercancel: () => rested(),
    onblur: () => rested(),
  });
  return slider;
}
