// SPDX-License-Identifier: Apache-2.0
// heatmap.js - a matrix as a picture, with the value under the pointer or under a cross hair that
// the arrow keys move. The canvas holds cells alone; axes and curves are SVG over it.

import { across, marksOf, names, upright } from './axis.js';
import { columnCurve, hair, rowCurve } from './crosshair.js';
import { element, onResize, shape, tableHead } from './element.js';
import { labelsOf } from './labels.js';
import { brief, count, exact } from './number.js';
import { beyondOf, gradientOf, PALETTES, recoloured, scaleOf } from './palette.js';
import { paint } from './raster.js';
import { onTheme, theme } from './site.js';
import { word } from './words.js';

const NEAR_ROWS = 9,
  NEAR_COLUMNS = 8; // of the table around the cross hair

/** The text of a value of the matrix. */
export function valueText(matrix, value) {
  if (matrix.isHidden(value)) return 'masked';
  if (matrix.kind === 'mask') return word(value ? 'attends' : 'hidden');
  return matrix.dtype === 'difference' ? brief(value, 7) : exact(value, matrix.dtype);
}

/** The colours with the ends of the scale, and how many numbers are beyond them. */
function legendOf(scale, kind, beyond) {
  const outside = beyond ? [element('span.beyond', {}, word('{} beyond', count(beyond)))] : [];
  const masked = scale.masked ? [element('i.swatch.masked'), word('masked')] : [];
  if (kind === 'mask')
    return [element('i.swatch.off'), word('hidden'), element('i.swatch.on'), word('attends')];
  const [low, high] = scale.seen;
  const middle = low < 0 && high > 0 ? element('span.middle', {}, '0') : null;
  return [
    element('span', {}, brief(low)),
    element(
      'span.ramp',
      {},
      element('i', { style: { background: gradientOf(scale, theme()) } }),
      middle,
    ),
    element('span', {}, brief(high)),
    ...outside,
    ...masked,
  ];
}

/** Rows of a table of n entries, at most `most`, around one of them. */
function around(at, n, most) {
  const first = Math.max(0, Math.min(at - (most >> 1), n - most));
  return Array.from({ length: Math.min(most, n) }, (_, i) => first + i);
}

export class Heatmap {
  /** options: name, curves (row and column beside the map), share of the window's height,
   * moved(cell): called when the reader moves the cross hair; palette, and coloured(name), called
   * when the reader chooses another: without it there is no choice. */
  constructor({ name, curves = true, share = 0.56, moved = () => {}, palette, coloured }) {
    Object.assign(this, { curves, share, moved, palette, coloured });
    Object.assign(this, { cell: null, matrix: null, frame: 0 });
    this.canvas = element('canvas');
    this.marks = shape('svg marks', { 'aria-hidden': 'true' });
    this.stage = element(
      'div.stage',
      {
        tabindex: 0,
        role: 'application',
        'aria-roledescription': word('heat map'),
        'aria-label': word('{}: heat map. Arrow keys move the cross hair, with Shift by ten.', name),
        onpointermove: (event) => this.#point(event),
        onpointerdown: (event) => this.#point(event),
        onkeydown: (event) => this.#key(event),
      },
      this.canvas,
      this.marks,
    );
    this.readout = element('output.readout', { 'aria-live': 'polite' });
    this.legend = element('div.legend');
    this.choice = coloured ? this.#choice() : '';
    this.near = element(
      'details.near',
      { ontoggle: () => this.#fillNear() },
      element('summary', {}, word('Table around the cross hair')),
      element('div.scroll', { tabindex: 0 }),
    );
    this.node = element(
      'figure.map',
      {},
      element('figcaption', {}, this.readout, this.legend, this.choice),
      this.stage,
      curves ? this.near : null,
    );
    onResize(this.node, () => this.redraw());
    onTheme(() => this.redraw());
  }

  /** Shows the matrix, on the scale of its own numbers or on the one given. */
  draw(matrix, scale) {
    const from = matrix.offset,
      end = from + matrix.rows * matrix.columns;
    this.matrix = matrix;
    this.scale = recoloured(scale ?? scaleOf(matrix, from, end), this.palette);
    this.beyond = matrix.kind === 'mask' ? 0 : beyondOf(matrix, this.scale, from, end);
    if (!this.cell || this.cell.row >= matrix.rows || this.cell.column >= matrix.columns)
      this.cell = {
        row: Math.floor(matrix.rows * 0.4),
        column: Math.floor(matrix.columns * 0.14),
      };
    this.node.classList.toggle('square', matrix.square);
    this.node.classList.toggle('mask', matrix.kind === 'mask');
    this.redraw();
  }

  /** Moves the cross hair; values outside are clamped. */
  move(row, column, told = true) {
    const { rows, columns } = this.matrix;
    const cell = {
      row: Math.max(0, Math.min(rows - 1, row)),
      column: Math.max(0, Math.min(columns - 1, column)),
    };
    if (cell.row === this.cell.row && cell.column === this.cell.column) return;
    this.cell = cell;
    this.#say();
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.#mark();
      this.#fillNear();
    });
    if (told) this.moved(cell);
  }

  redraw() {
    if (!this.matrix || !this.stage.clientWidth) return;
    this.#layOut();
    const ratio = Math.min(devicePixelRatio || 1, 2);
    this.canvas.width = Math.max(1, Math.round(this.box.width * ratio));
    this.canvas.height = Math.max(1, Math.round(this.box.height * ratio));
    paint(this.canvas, this.matrix, this.scale, theme(), ratio);
    this.legend.replaceChildren(...legendOf(this.scale, this.matrix.kind, this.beyond));
    this.#say();
    this.#mark();
    this.#fillNear();
  }

  /** The palettes to choose from. */
  #choice() {
    const option = (name) =>
      element('option', { value: name, selected: name === (this.palette ?? '') }, name || word('auto'));
    return element(
      'select.palette',
      { 'aria-label': word('colours'), onchange: (event) => this.coloured(event.target.value) },
      ['', ...Object.keys(PALETTES)].map(option),
    );
  }

  #layOut() {
    const { rows, columns, square, rowText } = this.matrix;
    const whole = this.stage.clientWidth,
      narrow = whole < 520;
    const digits = Math.max(rowText(0).length, rowText(rows - 1).length);
    const left = Math.max(narrow ? 42 : 52, 30 + 7 * digits);
    const columnWidth = this.curves && !narrow ? 132 : 8,
      rowHeight = this.curves ? (narrow ? 52 : 72) : 0;
    const room = Math.max(40, whole - left - columnWidth);
    const limit = Math.max(200, Math.min(1100, innerHeight * this.share));
    const width = square ? Math.min(room, (limit * 1.1 * columns) / rows) : room;
    const natural = (width * rows) / columns;
    const height = square
      ? natural
      : Math.max(Math.min(natural, limit), Math.min(limit, rows < 12 ? rows * 24 : 240));
    this.box = {
      left,
      top: 6,
      width: Math.round(width),
      height: Math.round(height),
      columnWidth,
      rowHeight,
      whole,
    };
    const { left: x, top: y, width: w, height: h } = this.box;
    const all = h + 6 + 40 + rowHeight;
    this.stage.style.setProperty('height', `${all}px`);
    // Paper is as wide as it is: there the place of the cells is a share of the stage's.
    this.stage.style.setProperty('--shape', `${whole} / ${all}`);
    const places = { left: [x, whole], top: [y, all], width: [w, whole], height: [h, all] };
    for (const [name, [pixels, of]] of Object.entries(places)) {
      this.canvas.style.setProperty(name, `${pixels}px`);
      this.canvas.style.setProperty(`--${name}`, `${(100 * pixels) / of}%`);
    }
  }

  #mark() {
    const { box, matrix, cell, scale } = this,
      { left, top, width, height } = box;
    const x = (column) => left + ((column + 0.5) * width) / matrix.columns;
    const y = (row) => top + ((row + 0.5) * height) / matrix.rows;
    this.marks.setAttribute('viewBox', `0 0 ${box.whole} ${this.stage.clientHeight}`);
    this.marks.replaceChildren(
      shape('rect frame', {
        x: left - 0.5,
        y: top - 0.5,
        width: width + 1,
        height: height + 1,
      }),
      ...across(marksOf(matrix.columns, matrix.columnValue, width / 80), x, top + height),
      ...upright(marksOf(matrix.rows, matrix.rowValue, Math.max(2, height / 56)), y, left),
      ...names(box, matrix.columnName, matrix.rowName),
      ...labelsOf(box, matrix, scale, theme()),
      ...hair(box, matrix, cell),
      ...(this.curves ? rowCurve(box, matrix, cell, scale) : []),
      ...(box.columnWidth > 8 ? columnCurve(box, matrix, cell, scale) : []),
    );
  }

  #say() {
    const { matrix, cell } = this,
      note = matrix.note(cell.column);
    const value = matrix.at(cell.row, cell.column);
    this.readout.replaceChildren(
      element(
        'span.where',
        {},
        `${matrix.rowName} `,
        element('b', {}, matrix.rowText(cell.row)),
        ` · ${matrix.columnName} `,
        element('b', {}, matrix.columnText(cell.column)),
        note && element('span.faint', {}, `  ${note}`),
      ),
      ' ',
      element('span.value', {}, valueText(matrix, value)),
    );
  }

  #fillNear() {
    const holder = this.near.lastElementChild,
      { matrix, cell } = this;
    if (!this.near.open || !matrix) return;
    const columns = around(cell.column, matrix.columns, NEAR_COLUMNS);
    holder.replaceChildren(
      element(
        'table',
        {},
        tableHead([
          `${matrix.rowName} \\ ${matrix.columnName}`,
          ...columns.map((c) => matrix.columnText(c)),
        ]),
        element(
          'tbody',
          {},
          around(cell.row, matrix.rows, NEAR_ROWS).map((r) =>
            element(
              'tr',
              {},
              element('th', { scope: 'row' }, matrix.rowText(r)),
              columns.map((c) =>
                element(
                  r === cell.row && c === cell.column ? 'td.here' : 'td',
                  {},
                  valueText(matrix, matrix.at(r, c)),
                ),
              ),
            ),
          ),
        ),
      ),
    );
  }

  #point(event) {
    if (
      !this.matrix ||
      (event.type === 'pointermove' && event.pointerType === 'touch' && !event.buttons)
    )
      return;
    const area = this.stage.getBoundingClientRect(),
      { left, top, width, height } = this.box;
    const x = (event.clientX - area.left - left) / width,
      y = (event.clientY - area.top - top) / height;
    if (x >= 0 && x < 1 && y >= 0 && y < 1)
      this.move(Math.floor(y * this.matrix.rows), Math.floor(x * this.matrix.columns));
  }

  #key(event) {
    if (!this.matrix || event.ctrlKey || event.metaKey || event.altKey) return;
    const far = event.shiftKey ? 10 : 1,
      { rows, columns } = this.matrix,
      page = Math.max(1, rows >> 3);
    const step = {
      ArrowUp: [-far, 0],
      ArrowDown: [far, 0],
      ArrowLeft: [0, -far],
      ArrowRight: [0, far],
      Home: [0, -columns],
      End: [0, columns],
      PageUp: [-page, 0],
      PageDown: [page, 0],
    }[event.key];
    if (!step) return;
    event.preventDefault();
    this.move(this.cell.row + step[0], this.cell.column + step[1]);
  }
}
