// SPDX-License-Identifier: Apache-2.0
// request.js - what a request must have: the parameters that its output uses, and start values,
// from the schema, for those that nobody gave.

import { readRequest } from './query.js';

const NAMES = ['model', 'layer', 'layer_type']; // parameters of every encoding that models use
const GIVEN = new Set(['positions', 'distance', 'vectors']); // groups that no model fills
const COMMON = new Set(['out', 'pos', 'dim', 'len', 'heads', 'model']);

/** The start values of an output: those of its picture. */
export function startOf(output) {
  return readRequest(output.picture).params;
}

/** The parameters that the output uses, of those that are known; what it needs besides comes from
 * its picture, if no model gives it. */
export function fitted(known, output, schema) {
  const uses = new Set([...output.uses, ...NAMES, 'preset', 'dtype']);
  const start = startOf(output);
  const kept = Object.fromEntries(Object.entries(known).filter(([name]) => uses.has(name)));
  if (Object.keys(kept).every((name) => name === 'dtype')) return { ...start, ...kept };
  const group = Object.fromEntries(schema.params.map((param) => [param.name, param.group]));
  const fill = (name) => {
    const given = name in kept || (kept.model && !GIVEN.has(group[name]));
    if (!given && start[name] !== undefined) kept[name] = start[name];
  };
  (output.required ?? []).forEach(fill);
  for (const names of output.one_of ?? [])
    if (!names.some((name) => name in kept)) names.forEach(fill);
  const several = schema.outputs.filter((one) => one.default).length > 1;
  return output.default && !several ? kept : { ...kept, out: output.name };
}

/** A short name of a request, for people who compare it with another one. */
export function nameOf({ params }) {
  const told = Object.entries(params).filter(([name]) => !COMMON.has(name));
  const words = [params.model, ...told.map(([name, value]) => `${name}=${value}`)];
  return words.filter(Boolean).join(' ') || 'defaults';
}
