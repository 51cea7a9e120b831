// SPDX-License-Identifier: Apache-2.0
// explorer.js - one encoding: its form, the figure of the answer and the request as code; or two
// requests and their difference. The URL is the state; nothing else is kept.

import { comparisonOf } from './comparison.js';
import { element, settle } from './element.js';
import { figureOf, rotationOf } from './figure.js';
import { aliasedOf } from './matrix.js';
import { bytes } from './number.js';
import { isGrouped, listOutputs, rotatingOutput } from './outputs.js';
import { PALETTES } from './palette.js';
import { otherOf } from './other.js';
import { Panel } from './panel.js';
import { openPicker } from './picker.js';
import { explorerAt, readPage, readRequest, writeFragment, writeQuery } from './query.js';
import { Request, nameOf } from './request.js';
import { Problem, TooLarge, documentAt, tensorOf } from './service.js';
import { pageAt } from './site.js';
import { addSkip, addSkipToPicture } from './skipping.js';
import { snippet } from './snippet.js';
import { failureOf, problemOf, sentencesOf, tooLarge } from './state.js';

const MOST = 4 << 20; // elements that are drawn at once
const PATIENCE = 150; // milliseconds before progress is shown
const REST = 300; // milliseconds after which the URL has the cell: browsers refuse more changes

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

export class Explorer {
  constructor(main, name) {
    Object.assign(this, { main, name, side: 'a' });
    const grouped = isGrouped(Number(main.querySelector('[data-outputs]').dataset.outputs));
    this.outputs = element(grouped ? 'div.outputs.kinds' : 'div.tabs.outputs', {
      role: 'group',
      'aria-label': 'outputs',
    });
    this.progress = element('div.progress', { role: 'status' });
    this.figure = element('div.figure', { 'aria-busy': 'true' });
    this.telling = element('section.telling', {
      'aria-label': 'About this encoding',
      hidden: true,
    });
    this.receipt = element('p.receipt');
    this.code = element('div.code');
    this.panel = new Panel({
      set: (change) => this.set(change),
      drag: (change) => this.drag(change),
      rest: () => this.rest(),
      compare: () => (this.b ? this.compare() : this.chooseOther()),
      side: (side) => this.turnTo(side),
    });
    this.title = main.querySelector('header.title');
    this.formula = main.querySelector('pre.formula');
    this.formula.addEventListener('click', (event) => this.lead(event));
    const picture = element('div.picture', {}, this.figure, this.receipt);
    const body = element('div.body', {}, picture, this.telling);
    const left = [this.title, this.outputs, this.progress, body, this.code];
    main.replaceChildren(
      element(
        'div.work',
        {},
        element('div.left', {}, left),
        this.panel.node,
        this.panel.opener,
      ),
    );
    addSkipToPicture(this.figure);
    addSkip('Skip to the parameters', () => this.panel.open());
  }

  async start() {
    const [schema, { models }] = await Promise.all([
      documentAt(`/v1/encodings/${this.name}`),
      documentAt('/v1/models?fields=id,encodings,max_position_embeddings'),
    ]);
    Object.assign(this, { schema, models });
    this.tell();
    if (this.title.dataset.tables === '1') await this.nameTables();
    addEventListener('popstate', () => this.restore());
    await this.restore();
    await this.findTwin();
  }

  /** The texts of the encoding, which are shown with the first answer. */
  tell() {
    const { when_to_use: use, what_goes_wrong: wrong } = this.schema;
    const part = (title, node) => element('div', {}, element('h2', {}, title), node);
    this.telling.replaceChildren(
      part('Formula', this.formula),
      part('When to use it', element('p', {}, use)),
      part('What goes wrong', element('p', {}, wrong)),
    );
  }

  /** Leads from the name of a parameter in the formula to its field. */
  lead(event) {
    const [, id] = event.target.closest('a')?.getAttribute('href').split('#') ?? [];
    if (!id) return;
    event.preventDefault();
    this.panel.open(id);
  }

  /** Offers the operator's learned tables for the parameters that take one. */
  async nameTables() {
    const { tables } = await documentAt('/v1/tables');
    for (const param of this.schema.params)
      if (param.type === 'tensor' && param.group === 'weights')
        param.suggestions = tables.map((table) => table.name);
  }

  async findTwin() {
    const { encodings } = await documentAt('/v1/encodings?fields=name');
    const twin = `${this.name}/apply`;
    if (!encodings.some((one) => one.name === twin)) return;
    this.schema.twin = twin;
    this.list();
  }

  /* ---- state ---- */

  /** Draws the state that the URL has. */
  async restore() {
    try {
      await this.read();
    } catch (error) {
      return this.fail(error);
    }
    return this.update();
  }

  /** Takes the state from the URL. The history knows what of it the reader gave. */
  async read() {
    const { params, words } = readPage(location);
    const [row, column] = (words.at ?? '').split(',').map(Number);
    this.view = words.view;
    this.head = words.head;
    this.position = words.position;
    this.palette = words.pal in PALETTES ? words.pal : undefined;
    this.own = words.scale === 'own';
    this.cell = Number.isInteger(row) && Number.isInteger(column) ? { row, column } : null;
    this.a = new Request(this.schema, params, history.state?.given);
    this.b = null;
    this.side = 'a';
    const rotating = this.view === 'rotation' && rotatingOutput(this.schema);
    if (rotating) this.a.turnTo(rotating);
    if (words.vs) this.b = await this.other(readRequest(words.vs));
  }

  /** The second request, of this encoding or of another one. */
  async other({ name, params }) {
    const schema =
      name === this.name ? this.schema : await documentAt(`/v1/encodings/${name}`);
    const b = new Request(schema, params);
    if (schema === this.schema) b.turnTo(this.output);
    return b;
  }

  /** The output that is drawn. */
  get output() {
    return this.a.output;
  }

  /** The path of this state. */
  address() {
    const { a, b, cell, view, head, palette: pal } = this;
    const position = view === 'rotation' ? this.position : undefined;
    const scale = b && this.own ? 'own' : undefined;
    const at = cell && `${cell.row},${cell.column}`;
    const vs = b && `${b.name}?${writeQuery(b.params)}`;
    const path = pageAt(explorerAt(this.name, a.params, { view, pal, vs }));
    return path + writeFragment({ position, head, at, scale });
  }

  /** The title of this state, for tabs and links. */
  #name() {
    const { a, b, schema, output } = this;
    const told = [output.label, a.params.model].filter(Boolean).join(', ');
    return `${schema.title}: ${told}${b ? ` against ${nameOf(b, a.name)}` : ''} · posencd`;
  }

  /** Writes the URL; the browser's back button returns to what was pushed. */
  write(how) {
    clearTimeout(this.writing);
    document.title = this.#name();
    const state = { given: [...this.a.given] };
    if (how === 'push') history.pushState(state, '', this.address());
    else history.replaceState(state, '', this.address());
  }

  shown() {
    return this.side === 'b' ? this.b : this.a;
  }

  /* ---- answers ---- */

  async update(how = 'replace') {
    this.abort?.abort();
    const abort = (this.abort = new AbortController());
    if (how === 'soon') this.writeSoon();
    else this.write(how);
    this.list();
    this.figure.setAttribute('aria-busy', 'true');
    const cancel = { type: 'button', onclick: () => abort.abort() };
    const slow = setTimeout(() => {
      this.progress.replaceChildren(element('i'), element('button.quiet', cancel, 'Cancel'));
    }, PATIENCE);
    try {
      await this.answer(abort.signal);
    } catch (error) {
      if (error.name !== 'AbortError') this.fail(error);
    }
    clearTimeout(slow);
    if (this.abort !== abort) return;
    this.progress.replaceChildren();
    this.telling.hidden = false;
    this.figure.setAttribute('aria-busy', 'false');
  }

  async answer(signal) {
    const { a, b, output } = this;
    const extra = this.needsWavelengths() && { ...a.params, out: 'wavelengths' };
    const [first, second, waves] = await Promise.all([
      this.tensor(a, signal),
      b && this.tensor(b, signal),
      extra && tensorOf(this.name, extra, signal),
    ]);
    const params = { ...a.effective, ...a.params };
    if (waves && !this.view) first.aliased = aliasedOf(first, output, params, waves.data);
    this.form({});
    this.figure.classList.remove('stale');
    this.figure.replaceChildren(this.draw(first, second, waves, params));
    settle();
    this.receipt.replaceChildren(
      element('b', {}, first.shape.join(' × ') || 'one number'),
      ` ${first.dtype} · ${bytes(first.bytes)} · ${first.milliseconds.toFixed(1)} ms · `,
      capital(output.doc),
      first.warning ? element('span.warning', {}, ` ${first.warning}`) : '',
    );
    const { name, params: query, output: drawn } = this.shown();
    const { dtype } = this.side === 'b' ? second : first;
    this.code.replaceChildren(snippet(name, query, drawn.name, dtype));
  }

  draw(first, second, waves, params) {
    const { a, b, output } = this;
    const context = this.context();
    if (second)
      return comparisonOf(first, second, output, params, [nameOf(a, b.name), nameOf(b, a.name)], {
        context,
        own: this.own,
        scaled: (own) => this.scaled(own),
      });
    if (this.view === 'rotation') {
      const wavelengths = this.schema.outputs.find((one) => one.name === 'wavelengths');
      return rotationOf(first, waves, wavelengths, params, {
        context,
        position: this.position,
        turned: (position) => {
          this.position = String(position);
          this.writeSoon();
        },
      });
    }
    return figureOf(first, output, params, {
      cell: this.cell,
      head: this.head,
      context,
      moved: (cell) => this.moved(cell),
      chosen: (head) => this.choose(head),
      palette: this.palette,
      coloured: (palette) => this.colour(palette),
    });
  }

  /** Whether the figure needs wavelengths besides its own numbers: clocks do, and positions with
   * a step, which can draw waves that do not exist. */
  needsWavelengths() {
    const known = this.schema.outputs.some((one) => one.name === 'wavelengths');
    const step = /:\d*:(?!1\b)/.test(this.a.params.pos ?? '');
    const waves = ['wave', 'paired'].includes(this.output.columns);
    return known && !this.b && (this.view === 'rotation' || (step && waves));
  }

  /** The tensor of a request, unless it has more elements than are drawn. */
  async tensor(request, signal) {
    try {
      const tensor = await tensorOf(request.name, request.params, signal, MOST);
      request.effective = tensor.effective;
      return tensor;
    } catch (error) {
      if (error instanceof TooLarge) request.effective = error.outlook.effective;
      throw error;
    }
  }

  /** The longest context of the models that are named; 0: none is. */
  context() {
    const ids = [this.a.params.model, this.b?.params.model];
    const models = this.models.filter((model) => ids.includes(model.id));
    const longest = Math.max(0, ...models.map((model) => model.max_position_embeddings ?? 0));
    return longest || Number(this.a.effective.context) || 0;
  }

  /** What went wrong, beside the last picture, so that a slip costs nothing. */
  fail(error) {
    this.figure.querySelector('.state')?.remove();
    this.figure.classList.toggle('stale', this.figure.childElementCount > 0);
    this.receipt.replaceChildren();
    this.code.replaceChildren();
    if (error instanceof TooLarge) {
      const { name, params, output } = this.shown();
      this.form({});
      this.figure.prepend(tooLarge(error, params, MOST, (change) => this.set(change)));
      this.code.replaceChildren(snippet(name, params, output.name, output.dtype));
    } else if (error instanceof Problem && error.status !== 503) {
      this.form(sentencesOf(error));
      this.figure.prepend(problemOf(error, (name) => this.panel.has(name)));
      this.panel.focusProblem();
    } else {
      this.figure.prepend(failureOf(error, () => this.update()));
    }
  }

  /* ---- what the reader does ---- */

  form(problems) {
    const { models, side, a, b } = this;
    this.panel.show({ models, side, a, b, problems });
  }

  /** Changes parameters of the request that the form shows; '' takes one away. The browser's back
   * button undoes it, if it is pushed. */
  set(change, how = 'push') {
    this.shown().set(change);
    this.cell = null;
    return this.update(how);
  }

  /** Changes parameters while a slider is dragged: all of it is one entry of the history. While an
   * answer is awaited, only the last change waits. */
  async drag(change) {
    this.shown().set(change);
    if (!this.dragged) this.write('push');
    this.dragged = true;
    this.changed = true;
    if (this.answering) return;
    this.answering = true;
    while (this.changed) {
      this.changed = false;
      await this.update('soon');
    }
    this.answering = false;
  }

  /** The slider is let go: the next change is another entry. */
  rest() {
    this.dragged = false;
    this.write('replace');
  }

  moved(cell) {
    this.cell = cell;
    this.writeSoon();
  }

  /** Writes the URL when what changes it rests. */
  writeSoon() {
    clearTimeout(this.writing);
    this.writing = setTimeout(() => this.write('replace'), REST);
  }

  choose(head) {
    this.head = head || undefined;
    this.write('replace');
  }

  /** Draws the picture again in the palette of this name; '': in the numbers' own. */
  async colour(palette) {
    this.palette = palette || undefined;
    await this.update();
    this.figure.querySelector('select.palette')?.focus();
  }

  /** Draws the comparison again, on one scale or on two. */
  async scaled(own) {
    this.own = own;
    await this.update();
    this.figure.querySelector('.scales input:checked')?.focus();
  }

  turnTo(side) {
    this.side = side;
    this.update();
  }

  /** Begins a comparison of the request with itself, or ends one. */
  compare() {
    this.b = this.b ? null : this.a.copy();
    this.side = this.b ? 'b' : 'a';
    this.view = undefined;
    this.update('push');
  }

  /** Lets the reader choose what to compare the request with. */
  chooseOther() {
    const same = { name: this.name, group: 'this request', title: 'the same, to change', text: '' };
    same.text = `${same.name} ${same.group}`;
    same.href = '#';
    openPicker('', {
      first: [same],
      among: ({ href, group }) => group !== 'parameters' && /\/(explore|models)\//.test(href),
      choose: (entry) => (entry === same ? this.compare() : this.compareWith(entry)),
    });
  }

  /** Begins a comparison with an encoding or a model. */
  async compareWith({ name, id }) {
    try {
      this.b = await otherOf(this.a, id ? { id } : { name });
      this.side = 'b';
      this.view = undefined;
      await this.update('push');
    } catch (error) {
      this.fail(error);
    }
  }

  swap() {
    if (this.b?.name !== this.name) return;
    [this.a, this.b] = [this.b, this.a];
    this.update();
  }

  list() {
    listOutputs(this.outputs, this, (output, view) => this.open(output, view));
  }

  /** Opens an output, in both requests if both have it. */
  open(output, view) {
    Object.assign(this, { view, head: undefined, cell: null });
    this.a.open(output);
    const same = this.b?.schema.outputs.find((one) => one.name === output.name);
    if (same) this.b.open(same);
    this.update('push');
  }

  /** Opens the output that is `by` places further. */
  turn(by) {
    const { outputs } = this.schema;
    this.open(outputs[(outputs.indexOf(this.output) + by + outputs.length) % outputs.length]);
  }
}
