// SPDX-License-Identifier: Apache-2.0
// lesson.js - the figures of a chapter. A figure is a request, or some, with holes that controls
// fill; its kind says how the answers are drawn. The query of the page has what differs from the
// document, so that a link shows the same.

import { cells } from './cells.js';
import { controlOf, filled, readWord, writeWord } from './controls.js';
import { dials } from './dials.js';
import { element, settle } from './element.js';
import { figureOf, plotOf } from './figure.js';
import { Heatmap } from './heatmap.js';
import { matrixOf } from './matrix.js';
import { Plot } from './plot.js';
import { readQuery, readRequest, writeQuery } from './query.js';
import { sentence } from './sentence.js';
import { documentAt, tensorOf } from './service.js';
import { pageAt } from './site.js';
import { snippet } from './snippet.js';
import { failureOf } from './state.js';
import { word } from './words.js';

const REST = 300; // milliseconds after which the URL has the state

/** The map of a figure, which stays when its numbers change. */
function mapOf(lesson, output, moved) {
  lesson.map ??= new Heatmap({ name: output.label, share: 0.46, moved });
  return lesson.map;
}

function table(lesson, [{ tensor, output, params }]) {
  if (tensor.shape.length !== 2)
    return figureOf(tensor, output, { ...tensor.effective, ...params }, { moved: () => {} });
  const map = mapOf(lesson, output);
  lesson.after = () => map.draw(matrixOf(tensor, output, { ...tensor.effective, ...params }));
  return map.node;
}

const numbers = (_, [{ tensor, output }]) => cells(tensor, output.label);

/** A matrix, a row and the row that their product is. */
function product(_, [matrix, row, result]) {
  const sign = (text) => element('span.sign', { 'aria-hidden': 'true' }, text);
  return element(
    'div.product',
    {},
    cells(matrix.tensor, matrix.output.label),
    sign('×'),
    cells(row.tensor, row.output.label, true),
    sign('='),
    cells(result.tensor, result.output.label, true),
  );
}

/** Two curves over one axis; the control `context` has a line of its own. */
function curves(lesson, [first, second]) {
  const [, name] = lesson.choiceOf('method') ?? lesson.choiceOf('list') ?? [];
  const context = lesson.choiceOf('context');
  const series = [
    { name, y: first.tensor.data, tone: 'a' },
    { name: context[1], y: second.tensor.data, tone: 'b' },
  ];
  return plotOf(series, first.output, {}, Number(context[0])).node;
}

/** A line for each head over differences of positions, the middle of which is 0. */
function heads(_, [{ tensor, output }]) {
  const [count, n] = tensor.shape;
  const x = Array.from({ length: n }, (__, i) => i - (n - 1) / 2);
  const y = (head) =>
    Array.from(tensor.data.subarray(head * n, (head + 1) * n), (value) =>
      value <= tensor.hidden || !Number.isFinite(value) ? NaN : value,
    );
  return new Plot({
    name: output.label,
    series: Array.from({ length: count }, (__, head) => ({ x, y: y(head), tone: 'a' })),
    x: { name: output.axes.at(-1).label },
    y: { name: output.label.toLowerCase() },
    height: 320,
  }).node;
}

/** Dials, and the score of the distance that they have on the curve of all distances. */
function turned(lesson, [angles, scores]) {
  const { m, k } = lesson.values;
  const n = scores.tensor.data.length;
  const apart = Number(m) - Number(k);
  const x = Array.from({ length: n }, (_, i) => i - (n - 1) / 2);
  const plot = new Plot({
    name: scores.output.label,
    series: [{ x, y: scores.tensor.data, tone: 'a' }],
    x: { name: word('distance') },
    y: { name: scores.output.label.toLowerCase() },
    height: 260,
  });
  plot.at = apart + (n - 1) / 2;
  lesson.dials ??= dials((by) => lesson.change('m', Number(lesson.values.m) + by));
  lesson.dials.draw(angles.tensor);
  lesson.turned ??= element('div', {}, lesson.dials.node, element('div'));
  lesson.turned.lastChild.replaceWith(plot.node);
  return lesson.turned;
}

/** Words, and what is added to each pair of them. */
function order(lesson, [{ tensor }]) {
  const words = lesson.choiceOf('words')[0].split(' ');
  const now = lesson.words ?? words.map((_, i) => i);
  return sentence(tensor, words, now, (next, place) => {
    lesson.words = next;
    lesson.draw();
    lesson.place.querySelectorAll('.word')[place]?.querySelector('button:enabled')?.focus();
  });
}

/** The likeness of a patch to every other: the products of their rows. */
function patches(lesson, [{ tensor, output }]) {
  const [n, width] = tensor.shape;
  const side = Math.round(Math.sqrt(n));
  const row = (at) => tensor.data.subarray(at * width, (at + 1) * width);
  const draw = ({ row: down, column }) => {
    const chosen = row(down * side + column);
    const data = Float32Array.from({ length: n }, (_, at) =>
      row(at).reduce((sum, value, i) => sum + value * chosen[i], 0),
    );
    const square = { shape: [side, side], data, kind: 'real', dtype: 'f32', hidden: tensor.hidden };
    const axes = [
      { name: 'h', label: word('row') },
      { name: 'w', label: word('column') },
    ];
    map.draw(matrixOf(square, { ...output, columns: undefined, axes }, {}));
  };
  const map = mapOf(lesson, output, (cell) => lesson.atPatch(cell));
  lesson.atPatch = draw;
  map.cell ??= { row: side >> 1, column: side >> 1 };
  lesson.after = () => draw(map.cell);
  return map.node;
}

const KINDS = { table, cells: numbers, product, curves, heads, dials: turned, order, patches };

class Lesson {
  /** state: words of the URL by name; write(): called when they change. */
  constructor(figure, number, state, write) {
    const { kind, requests, controls } = figure.dataset;
    Object.assign(this, { kind, write, templates: requests.split(' ') });
    this.specs = JSON.parse(controls);
    this.key = (name) => (number ? `${name}${number + 1}` : name);
    const words = this.specs.map((one) => [one.name, readWord(one, state[this.key(one.name)])]);
    this.values = Object.fromEntries(words);
    this.controls = this.specs
      .map((one) => [one.name, controlOf(one, this.values[one.name], (...to) => this.change(...to))])
      .filter(([, control]) => control);
    this.place = element('div.place', { 'aria-busy': 'true' }, figure.querySelector('img'));
    this.numbers = element('details', {}, element('summary', {}, word('The numbers of this figure')));
    figure.prepend(this.place);
    figure.append(...this.controls.map(([, { node }]) => node), this.numbers);
  }

  /** The choice that a control has: [value, text, note]. */
  choiceOf(name) {
    const spec = this.specs.find((one) => one.name === name);
    return spec?.options.find((one) => one[0] === this.values[name]);
  }

  /** The words of the URL. */
  state() {
    return this.specs.map((one) => [this.key(one.name), writeWord(one, this.values[one.name])]);
  }

  change(name, value) {
    const spec = this.specs.find((one) => one.name === name);
    if (spec.options) this.values[name] = value;
    else this.#move(spec, Number(value) - Number(this.values[name]));
    for (const [one, control] of this.controls) control.set(this.values[one]);
    this.write();
    this.update();
  }

  /** Moves a value by a step, and with it the other end of a distance that is kept: where one
   * cannot go on, neither does. */
  #move(spec, step) {
    const other = this.kind === 'dials' && this.values.keep === '1' && { m: 'k', k: 'm' }[spec.name];
    const moved = this.specs.filter((one) => one === spec || one.name === other);
    const by = moved.reduce((most, { name, low, high }) => {
      const at = Number(this.values[name]);
      return Math.min(high - at, Math.max(low - at, most));
    }, step);
    for (const { name } of moved) this.values[name] = String(Number(this.values[name]) + by);
  }

  /** Asks for the numbers of the state; while an answer is awaited, only the last state waits. */
  async update() {
    this.stale = true;
    if (this.asking) return;
    this.asking = true;
    this.place.setAttribute('aria-busy', 'true');
    try {
      while (this.stale) {
        this.stale = false;
        this.answers = await Promise.all(this.templates.map((one) => this.#answer(one)));
        this.draw();
      }
    } catch (error) {
      this.place.replaceChildren(failureOf(error, () => this.update()));
    }
    this.asking = false;
    this.place.setAttribute('aria-busy', 'false');
  }

  async #answer(template) {
    const { name, params } = readRequest(filled(template, this.values));
    const [{ outputs }, tensor] = await Promise.all([
      documentAt(`/v1/encodings/${name}`),
      tensorOf(name, params),
    ]);
    const found = outputs.find((one) => (params.out ? one.name === params.out : one.default));
    const axes = found.axes.map((axis) => ({ ...axis, label: word(axis.label) }));
    return { name, params, tensor, output: { ...found, label: word(found.label), axes } };
  }

  draw() {
    this.after = null;
    const node = KINDS[this.kind](this, this.answers);
    if (this.place.firstChild !== node) this.place.replaceChildren(node);
    this.after?.();
    settle();
    const [{ name, params, output, tensor }] = this.answers;
    const explorer = pageAt(`/explore/${name}?${writeQuery(params)}`);
    this.numbers.replaceChildren(
      this.numbers.firstChild,
      element('p', {}, element('a', { href: explorer }, word('Open it in the explorer'))),
      snippet(name, params, output.name, tensor.dtype),
    );
  }
}

/** The page of a chapter. */
export async function learn(main) {
  const state = readQuery(location.search.slice(1));
  let writing;
  const lessons = [...main.querySelectorAll('.lesson')].map(
    (figure, number) => new Lesson(figure, number, state, () => write()),
  );
  const write = () => {
    clearTimeout(writing);
    writing = setTimeout(() => {
      const words = lessons.flatMap((lesson) => lesson.state()).filter(([, word]) => word);
      const query = writeQuery(Object.fromEntries(words));
      history.replaceState(null, '', `${location.pathname}${query ? `?${query}` : ''}${location.hash}`);
    }, REST);
  };
  await Promise.all(lessons.map((lesson) => lesson.update()));
}
