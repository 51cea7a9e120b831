// SPDX-License-Identifier: Apache-2.0
// request.js - a request as the form changes it: what the reader gave; and what the page adds from
// the schema so that there is a picture, which gives way to a model, a preset and what is given.

import { holds } from './condition.js';
import { readQuery, readRequest } from './query.js';

const NAMES = ['model', 'layer', 'layer_type']; // parameters of every encoding that models use
const OURS = new Set(['positions', 'distance', 'vectors']); // groups that no model fills
const LONG = 24; // letters of a value that is left out of a short name
const COMMON = new Set(['out', 'pos', 'dim', 'len', 'heads', 'model']);

/** The start values of an output: those of its picture. */
export function startOf(output) {
  return readRequest(output.picture).params;
}

export class Request {
  /** query: the parameters of a URL; given: names of those that the reader gave, if it is known.
   * Without them a value is given unless it is one that the page starts with. */
  constructor(schema, query, given) {
    this.name = schema.name;
    this.schema = schema;
    this.effective = {}; // what the last answer was made of, defaults and model included
    this.held = new Set(); // names that are given and not sent: they have no effect here
    const { out, ...values } = query;
    const { outputs } = schema;
    this.output =
      outputs.find((one) => one.name === out) ?? outputs.find((one) => one.default) ?? outputs[0];
    this.values = { ...values };
    const beside = Object.entries(values).map(([name, value]) => this.#beside(name, value));
    const start = Object.assign(startOf(this.output), ...beside);
    this.given = new Set(
      Object.keys(values).filter((name) =>
        given ? given.includes(name) : values[name] !== start[name],
      ),
    );
    if (Object.keys(values).every((name) => name === 'dtype'))
      this.values = { ...startOf(this.output), ...values };
    this.fit();
  }

  /** A request that is changed apart from this one. */
  copy() {
    const copy = new Request(this.schema, { ...this.params }, [...this.given]);
    copy.turnTo(this.output);
    return copy;
  }

  /** Opens an output with its own start values; what the reader gave stays. */
  open(output) {
    if (output === this.output) return;
    const start = startOf(output);
    const takesTables = Object.keys(start).some((name) => this.#isTensor(name));
    this.output = output;
    this.#keepGiven(this.values.model ? {} : start);
    // A table of the start has the sizes that it needs beside it.
    this.held = new Set(takesTables ? [...this.given].filter((name) => name in start) : []);
    if (takesTables) Object.assign(this.values, start);
    this.fit();
  }

  /** Shows another output of the same values. */
  turnTo(output) {
    this.output = output;
    this.fit();
  }

  /** Changes parameters; '' takes one away, so that the start's value is back, if it was given. */
  set(change) {
    const moot = this.#moot();
    for (const [name, value] of Object.entries(change)) {
      this.held.delete(name);
      if (value === '') this.#take(name);
      else this.#give(name, value);
    }
    const now = this.#moot();
    for (const name of this.given)
      if (now.has(name) && !moot.has(name) && !(name in change)) this.held.add(name);
      else if (!now.has(name) && moot.has(name)) this.held.delete(name);
    this.fit();
  }

  #give(name, value) {
    this.#leave(name);
    const { out, ...start } = this.#beside(name, value);
    if (out && !out.split('|').includes(this.output.name))
      this.open(this.schema.outputs.find((one) => one.name === out.split('|')[0]));
    this.values[name] = value;
    this.given.add(name);
    if (name === 'model') this.#keepGiven({});
    for (const [other, text] of Object.entries(start))
      if (this.given.has(other)) {
        if (!text && other !== name) this.held.add(other);
      } else if (text) this.values[other] = text;
      else delete this.values[other];
  }

  #take(name) {
    const wasGiven = this.given.delete(name);
    this.#leave(name);
    delete this.values[name];
    const start = startOf(this.output);
    if (wasGiven && name === 'model') this.#keepGiven(start);
    else if (wasGiven && name in start && !this.values.model) this.values[name] = start[name];
  }

  /** Gives back what the value of a parameter took, and takes what it gave. */
  #leave(name) {
    const start = startOf(this.output);
    for (const other of Object.keys(this.#beside(name, this.values[name]))) {
      this.held.delete(other);
      if (other === 'out' || this.given.has(other)) continue;
      if (other in start && !this.values.model) this.values[other] = start[other];
      else delete this.values[other];
    }
  }

  /** What a value needs beside it: values of other parameters, '' for those that go. */
  #beside(name, value) {
    const param = this.schema.params.find((one) => one.name === name);
    if (param?.type === 'boolean') return value === '1' ? readQuery(param.start) : {};
    const choice = param?.choices?.find((one) => one.name === value);
    const stood = Object.keys(readQuery(choice?.stands_for)).map((other) => [other, '']);
    return { ...Object.fromEntries(stood), ...readQuery(choice?.start) };
  }

  /** Makes .params, the request that is sent. */
  fit() {
    const { schema, output, values } = this;
    const uses = new Set([...output.uses, ...NAMES, 'preset', 'dtype']);
    const moot = this.#moot();
    const stays = (name) =>
      uses.has(name) && (this.given.has(name) ? !this.held.has(name) : !moot.has(name));
    const kept = Object.fromEntries(Object.entries(values).filter(([name]) => stays(name)));
    this.#fill(kept);
    const several = schema.outputs.filter((one) => one.default).length > 1;
    this.params = output.default && !several ? kept : { ...kept, out: output.name };
  }

  /** Adds what the output needs besides, from its picture, if no model gives it. */
  #fill(kept) {
    const { schema, output } = this;
    const start = startOf(output);
    const group = Object.fromEntries(schema.params.map((param) => [param.name, param.group]));
    const fill = (name) => {
      const given = name in kept || (kept.model && !OURS.has(group[name]));
      if (!given && start[name] !== undefined) kept[name] = start[name];
    };
    (output.required ?? []).forEach(fill);
    for (const names of output.one_of ?? [])
      if (!names.some((name) => name in kept)) names.forEach(fill);
  }

  /** Keeps what the reader gave, over these values. */
  #keepGiven(values) {
    const given = Object.entries(this.values).filter(([name]) => this.given.has(name));
    this.values = { ...values, ...Object.fromEntries(given) };
  }

  #isTensor(name) {
    return this.schema.params.some((param) => param.name === name && param.type === 'tensor');
  }

  /** The parameters that have no effect beside the others. */
  #moot() {
    const { schema, values, effective, held } = this;
    const defaults = Object.fromEntries(
      schema.params.map((param) => [param.name, param.default && String(param.default)]),
    );
    const stood = Object.assign(
      {},
      ...schema.params.map(({ name, choices }) =>
        readQuery(choices?.find((one) => one.name === values[name])?.stands_for),
      ),
    );
    const valueOf = (name) =>
      (held.has(name) ? undefined : values[name]) ??
      stood[name] ??
      (values.model ? effective[name] : undefined) ??
      defaults[name];
    return new Set(
      schema.params.filter((param) => !holds(param.when, valueOf)).map((param) => param.name),
    );
  }
}

/** A short name of a request, for people who compare it with another one. other: the encoding of
 * that one, if it may be another. */
export function nameOf({ name, params }, other = name) {
  const told = Object.entries(params).filter(([param]) => !COMMON.has(param));
  const short = (text) => (text.length > LONG ? '…' : text);
  const words = [
    other !== name && name,
    params.model,
    ...told.map(([param, value]) => `${param}=${short(value)}`),
  ];
  return words.filter(Boolean).join(' ') || 'defaults';
}
