// SPDX-License-Identifier: Apache-2.0
// explorer.js - one encoding: its form, the figure of the answer and the request as code; or two
// requests and their difference. The URL is the state; nothing else is kept.

import { comparisonOf } from './comparison.js';
import { element } from './element.js';
import { figureOf, rotationOf } from './figure.js';
import { form, paramsOf } from './form.js';
import { aliasedOf } from './matrix.js';
import { bytes, count } from './number.js';
import { readFragment, readQuery, readRequest, writeFragment, writeQuery } from './query.js';
import { Problem, documentAt, outlookOf, tensorOf } from './service.js';
import { prefix } from './site.js';
import { snippet } from './snippet.js';
import { noAnswer, problemOf, sentencesOf, tooLarge } from './state.js';

const MOST = 4 << 20; // elements that are drawn at once
const PATIENCE = 150; // milliseconds before progress is shown
const NAMES = ['model', 'layer', 'layer_type'];
const GIVEN = new Set(['positions', 'distance', 'vectors']); // groups that no model fills

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

export class Explorer {
  constructor(main, name) {
    Object.assign(this, { main, name, a: { params: {}, effective: {} }, b: null, side: 'a', memory: {} });
    this.tabs = element('div.tabs.outputs', { role: 'group', 'aria-label': 'outputs' });
    this.progress = element('div.progress', { role: 'status' });
    this.figure = element('div.figure', { 'aria-busy': 'true' });
    this.about = element('section.about', { 'aria-label': 'About this encoding' });
    this.receipt = element('p.receipt');
    this.code = element('div.code');
    this.panel = element('aside.panel#parameters', { 'aria-label': 'Parameters' });
    const title = main.querySelector('header.title');
    main.replaceChildren(element('div.work', {}, element('div.left', {}, title, this.tabs, this.progress,
      element('div.body', {}, this.figure, this.about), this.receipt, this.code), this.panel,
    element('button.sheet', { type: 'button', 'aria-controls': 'parameters', onclick: () => this.openSheet() }, 'Parameters')));
    addEventListener('popstate', () => this.read().then(() => this.update()));
  }

  async start() {
    const [schema, { models }] = await Promise.all([
      documentAt(`/v1/encodings/${this.name}`),
      documentAt('/v1/models?fields=id,encodings,max_position_embeddings')]);
    this.schema = schema;
    documentAt('/v1/encodings?fields=name').then(({ encodings }) => {
      schema.twin = encodings.some((one) => one.name === `${this.name}/apply`);
      if (schema.twin) this.listOutputs();
    }, () => {});
    this.models = models;
    this.title();
    await this.read();
    await this.update();
  }

  /** Source and texts of the encoding, and the way to its twin. */
  title() {
    const { source, formula, when_to_use: use, what_goes_wrong: wrong } = this.schema;
    this.main.querySelector('header.title').append(element('p.source', {}, source, ' · ',
      element('a', { href: `${prefix}/docs/${this.name.replace(/\/apply$/, '')}` }, 'documentation')));
    const texts = [['Formula', formula, 'code'], ['When to use it', use, 'p'], ['What goes wrong', wrong, 'p']];
    this.about.replaceChildren(...texts.filter(([, text]) => text).map(([title, text, tag]) =>
      element('div', {}, element('h2', {}, title), element(tag, {}, text))));
  }

  /** Takes the state from the URL. */
  async read() {
    const words = readFragment(decodeURI(location.hash));
    const params = readQuery(location.search.slice(1)), other = words.vs && readRequest(words.vs);
    const { outputs } = this.schema;
    this.view = words.view;
    const wanted = this.view === 'rotation' ? 'inv_freq' : params.out;
    this.output = outputs.find((one) => one.name === wanted) ?? outputs.find((one) => one.default) ?? outputs[0];
    this.head = words.head;
    const [row, column] = (words.at ?? '').split(',').map(Number);
    this.cell = words.at && Number.isInteger(row) && Number.isInteger(column) ? { row, column } : null;
    this.a = { params, effective: {} };
    this.b = other ? { name: other.name, params: other.params, effective: {} } : null;
    this.side = 'a';
    this.memory = { ...params };
  }

  /** The path of this state. */
  address() {
    const { cell, b } = this, query = writeQuery(this.a.params);
    const vs = b && `${b.name}?${writeQuery(b.params)}`;
    return `${prefix}/explore/${this.name}${query ? `?${query}` : ''}${writeFragment({
      view: this.view, head: this.head, at: cell && `${cell.row},${cell.column}`, vs })}`;
  }

  /** The start values of an output. */
  picture(output = this.output) {
    return readRequest(output.picture).params;
  }

  /** The parameters that the output uses, of those that are known; what it needs and nobody gave
   * comes from its picture. */
  fit(params) {
    const uses = new Set([...this.output.uses, ...NAMES, 'preset', 'dtype']), start = this.picture();
    const kept = Object.fromEntries(Object.entries({ ...this.memory, ...params }).filter(([name]) => uses.has(name)));
    if (Object.keys(kept).filter((name) => name !== 'dtype').length === 0) return start;
    const groups = Object.fromEntries(this.schema.params.map((param) => [param.name, param.group]));
    const needed = (name) => !(name in kept) && !(kept.model && !GIVEN.has(groups[name]));
    for (const name of this.output.required ?? [])
      if (needed(name) && start[name] !== undefined) kept[name] = start[name];
    for (const names of this.output.one_of ?? [])
      if (!names.some((name) => name in kept))
        for (const name of names) if (needed(name) && start[name] !== undefined) kept[name] = start[name];
    const several = this.schema.outputs.filter((one) => one.default).length > 1;
    return this.output.default && !several ? kept : { ...kept, out: this.output.name };
  }

  /** Changes the URL; the browser's back button returns to what was pushed. */
  show(how) {
    const url = this.address();
    if (how === 'push') history.pushState(null, '', url);
    else history.replaceState(null, '', url);
  }

  async update(how = 'replace') {
    this.abort?.abort();
    const abort = this.abort = new AbortController();
    this.a.params = this.fit(this.a.params);
    if (this.b && this.a.params.out) this.b.params.out = this.a.params.out;
    this.show(how);
    this.listOutputs();
    this.figure.setAttribute('aria-busy', 'true');
    const slow = setTimeout(() => this.progress.replaceChildren(element('i'),
      element('button.quiet', { type: 'button', onclick: () => abort.abort() }, 'Cancel')), PATIENCE);
    try {
      await this.answer(abort.signal);
    } catch (error) {
      if (error.name !== 'AbortError') this.fail(error);
    } finally {
      clearTimeout(slow);
      if (this.abort === abort) {
        this.progress.replaceChildren();
        this.figure.setAttribute('aria-busy', 'false');
      }
    }
  }

  async answer(signal) {
    const { a, b, output } = this, extra = this.extra();
    const [first, second, waves] = await Promise.all([this.tensor(this.name, a, signal),
      b && this.tensor(b.name, b, signal), extra && tensorOf(this.name, { ...a.params, out: extra }, signal)]);
    const params = { ...a.effective, ...a.params }, context = this.context();
    const view = { cell: this.cell, head: this.head, context, moved: (cell) => this.moved(cell), chosen: (head) => this.choose(head) };
    if (waves && this.view !== 'rotation') first.aliased = aliasedOf(first, output, params, waves.data);
    this.form({});
    this.figure.classList.remove('stale');
    this.figure.replaceChildren(second ? comparisonOf(first, second, output, params, [this.nameOf(a), this.nameOf(b)], context)
      : this.view === 'rotation' ? rotationOf(first, waves, this.schema.outputs.find((one) => one.name === 'wavelengths'), params, context)
        : figureOf(first, output, params, view));
    this.receipt.replaceChildren(element('b', {}, first.shape.join(' × ') || 'one number'),
      ` ${first.dtype} · ${bytes(first.bytes)} · ${first.milliseconds.toFixed(1)} ms · ${capital(output.doc)}`,
      first.warning ? element('span.warning', {}, ` ${first.warning}`) : '');
    const shown = this.side === 'b' ? b : a;
    this.code.replaceChildren(snippet(shown.name ?? this.name, shown.params, output.name, first.dtype));
  }

  /** The output that the figure needs besides its own: wavelengths, for clocks and for steps. */
  extra() {
    const waves = this.schema.outputs.some((one) => one.name === 'wavelengths');
    const step = /:\d*:(?!1\b)/.test(this.a.params.pos ?? '') && ['wave', 'paired'].includes(this.output.columns);
    return waves && !this.b && (this.view === 'rotation' || step) ? 'wavelengths' : null;
  }

  async tensor(name, request, signal) {
    const outlook = await outlookOf(name, request.params, signal);
    const elements = outlook.shape.reduce((product, n) => product * n, 1);
    request.effective = outlook.effective;
    if (elements > MOST) throw Object.assign(new Error('too large'), { outlook, elements });
    return tensorOf(name, request.params, signal);
  }

  context() {
    const lengths = [this.a, this.b].map((request) => request?.params.model)
      .map((id) => this.models.find((model) => model.id === id)?.max_position_embeddings ?? 0);
    return Math.max(...lengths) || Number(this.a.effective.context) || 0;
  }

  nameOf(request) {
    const told = Object.entries(request.params).filter(([name]) => !['out', 'pos', 'dim', 'len', 'heads', 'model'].includes(name));
    return [request.params.model, ...told.map(([name, value]) => `${name}=${value}`)].filter(Boolean).join(' ') || 'defaults';
  }

  moved(cell) {
    this.cell = cell;
    clearTimeout(this.writing); // browsers refuse a hundred changes of the URL in thirty seconds
    this.writing = setTimeout(() => this.show('replace'), 300);
  }

  choose(head) {
    this.head = head || undefined;
    this.show('replace');
  }

  /** What went wrong, beside the last picture, so that a slip costs nothing. */
  fail(error) {
    this.receipt.replaceChildren();
    this.figure.querySelector('.state')?.remove();
    this.figure.classList.toggle('stale', this.figure.childElementCount > 0);
    this.code.replaceChildren();
    if (error.outlook) {
      this.form({});
      this.figure.prepend(tooLarge(error, this.a.params, MOST, (change) => this.set(change)));
      this.code.replaceChildren(snippet(this.name, this.a.params, this.output.name, this.output.dtype));
      return;
    }
    if (!(error instanceof Problem)) {
      this.figure.prepend(noAnswer(error, () => this.update()));
      return;
    }
    const sentences = sentencesOf(error);
    this.form(sentences);
    const placed = (name) => this.panel.querySelector(`[id="p-${name}"]`) !== null;
    this.figure.prepend(problemOf(error, placed));
    this.panel.querySelector('.wrong input, .wrong select')?.focus({ preventScroll: true });
    if (error.status === 503) setTimeout(() => this.update(), 1000 * (error.retryAfter || 1));
  }

  /* ---- the form ---- */

  /** Changes parameters of the request that the form shows; '' takes one away. */
  set(change) {
    const request = this.side === 'b' ? this.b : this.a;
    for (const [name, value] of Object.entries(change)) {
      delete this.memory[name];
      if (value === '') delete request.params[name];
      else request.params[name] = value;
    }
    if (this.side === 'a') Object.assign(this.memory, request.params);
    this.cell = null;
    return this.update();
  }

  layerTypes(request) {
    const model = this.details?.id === request.params.model ? this.details : null;
    if (request.params.model && !model)
      documentAt(`/v1/models/${request.params.model}`).then((found) => {
        this.details = { id: request.params.model, ...found };
        this.form({});
      }, () => {});
    return [...new Set((model?.uses ?? []).map((use) => use.layer_type).filter(Boolean))];
  }

  form(problems) {
    const request = this.side === 'b' ? this.b : this.a, focused = document.activeElement?.id;
    const named = this.models.filter((model) => model.encodings?.includes(this.name)).map((model) => model.id);
    const open = this.panel.querySelector('details')?.open, top = this.panel.scrollTop;
    const same = !this.b || this.b.name === this.name;
    this.panel.replaceChildren(element('header', {}, this.switcher(),
      element('button.quiet', { type: 'button', onclick: () => this.compare() }, this.b ? 'End comparison' : 'Compare with…'),
      element('button.quiet.close', { type: 'button', onclick: () => this.panel.classList.remove('open') }, 'Done')),
    same || this.side === 'a' ? form({ params: paramsOf(this.schema, this.output, named, this.layerTypes(request)),
      request, problems, open, set: (name, text) => this.set({ [name]: text }) })
      : element('p', {}, element('a', { href: `${prefix}/explore/${this.b.name}?${writeQuery(this.b.params)}` }, this.b.name)));
    this.panel.scrollTop = top;
    if (focused?.startsWith('p-')) document.getElementById(focused)?.focus({ preventScroll: true });
  }

  /** A | B, or the heading. */
  switcher() {
    if (!this.b) return element('h2', {}, 'Parameters');
    return element('div.segments.sides', { role: 'radiogroup', 'aria-label': 'request' }, ['a', 'b'].map((side) =>
      element(`label.${side}`, {}, element('input', { type: 'radio', name: 'side', checked: side === this.side,
        onchange: () => {
          this.side = side;
          this.update();
        } }), element('span', {}, side.toUpperCase()))));
  }

  compare() {
    this.b = this.b ? null : { name: this.name, params: { ...this.a.params }, effective: {} };
    this.side = this.b ? 'b' : 'a';
    this.view = undefined;
    this.update('push');
  }

  swap() {
    if (!this.b || this.b.name !== this.name) return;
    [this.a, this.b] = [{ ...this.b }, { name: this.name, ...this.a }];
    this.memory = { ...this.a.params };
    this.update();
  }

  openSheet() {
    this.panel.classList.add('open');
    this.panel.querySelector('input, select, button')?.focus();
  }

  /* ---- outputs ---- */

  listOutputs() {
    const { outputs, family } = this.schema;
    const tab = (text, on, act, title) => element('button', { type: 'button', 'aria-pressed': String(on), title, onclick: act }, text);
    const tabs = outputs.map((one) => tab(one.name.replaceAll('_', ' '), one === this.output && !this.view, () => this.open(one), one.label));
    const inverse = outputs.find((one) => one.name === 'inv_freq');
    if (family === 'rotary' && inverse && outputs.some((one) => one.name === 'wavelengths')) {
      const after = outputs.filter((one) => one.default).length;
      tabs.splice(after, 0, tab('rotation', this.view === 'rotation', () => this.open(inverse, 'rotation'), 'pairs as hands of clocks'));
    }
    if (!this.name.endsWith('/apply') && this.schema.twin)
      tabs.push(element('a', { href: `${prefix}/explore/${this.name}/apply` }, 'apply to vectors'));
    this.tabs.replaceChildren(...tabs);
    const chosen = this.tabs.querySelector('[aria-pressed=true]');
    if (chosen) this.tabs.scrollLeft = Math.max(0, chosen.offsetLeft - this.tabs.clientWidth / 2);
  }

  /** Opens an output: its picture, if nothing was changed since the last one's. */
  open(output, view) {
    const untouched = writeQuery(this.a.params) === writeQuery(this.fit({ ...this.picture() }));
    const pristine = writeQuery(this.a.params) === writeQuery(this.picture());
    this.output = output;
    this.view = view;
    this.head = undefined;
    this.cell = null;
    if (pristine || (untouched && !this.b)) {
      this.memory = {};
      this.a.params = this.picture(output);
    } else {
      delete this.memory.out;
      delete this.a.params.out;
    }
    if (this.b && output.default) delete this.b.params.out;
    this.update('push');
  }

  /** The next output, or the one before. */
  turn(by) {
    const { outputs } = this.schema, at = outputs.indexOf(this.output);
    this.open(outputs[(at + by + outputs.length) % outputs.length]);
  }
}
