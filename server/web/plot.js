// SPDX-License-Identifier: Apache-2.0
// plot.js - curves over one axis, linear or logarithmic, with a cross hair of their own.

import { across, names } from './axis.js';
import { element, onResize, shape } from './element.js';
import { brief, count, decades, ticks } from './number.js';
import { word } from './words.js';

const MARGIN = { left: 72, right: 16, top: 12, bottom: 40 };

/** The least and the greatest finite value of the function over the lists. */
function extent(lists, of) {
  let low = Infinity,
    high = -Infinity;
  for (const list of lists)
    for (const value of list) {
      const at = of(value);
      if (Number.isFinite(at)) {
        if (at < low) low = at;
        if (at > high) high = at;
      }
    }
  return low > high ? [0, 1] : [low, high];
}

export class Plot {
  /** series: [{name, x, y, tone}] with tones "a" and "b"; x and y: {name, log};
   * lines: [{y, text, brief}] across the plot, brief where it is narrow, what is above them shaded; area: filled below the first curve. */
  constructor({ name, series, x, y, lines = [], area = false, height = 400 }) {
    Object.assign(this, { series, x, y, lines, area, height });
    this.at = Math.floor(series[0].x.length * 0.5);
    this.svg = shape('svg plot', {
      height,
      tabindex: 0,
      role: 'application',
      'aria-roledescription': word('plot'),
      'aria-label': word('{}: plot. Arrow keys move along the curve, with Shift by ten.', name),
      onpointermove: (event) => this.#point(event),
      onpointerdown: (event) => this.#point(event),
      onkeydown: (event) => this.#key(event),
    });
    this.readout = element('output.readout', { 'aria-live': 'polite' });
    const legend =
      series.length > 1 && series[0].name
        ? series.map((one) => [element(`i.swatch.${one.tone}`), one.name])
        : null;
    this.node = element(
      'figure.lines',
      {},
      element('figcaption', {}, this.readout, element('div.legend.words', {}, legend)),
      this.svg,
    );
    onResize(this.svg.parentNode, () => this.redraw());
  }

  #scales() {
    const fx = this.x.log ? Math.log10 : (v) => v,
      fy = this.y.log ? Math.log10 : (v) => v;
    const [x0, x1] = extent(
      this.series.map((one) => one.x),
      fx,
    );
    let [y0, y1] = extent(
      [...this.series.map((one) => one.y), this.lines.map((line) => line.y)],
      fy,
    );
    if (!this.y.log) {
      if (y0 > 0 && y0 < y1 / 2) y0 = 0;
      const room = (y1 - y0 || Math.abs(y1) || 1) * 0.06;
      y0 -= y0 === 0 ? 0 : room;
      y1 += room;
    } else if (y1 - y0 < 0.3) {
      y0 -= 0.2;
      y1 += 0.2;
    }
    const { left, top } = MARGIN,
      width = this.width - left - MARGIN.right,
      height = this.height - top - MARGIN.bottom;
    this.box = { left, top, width, height };
    this.range = { x: [x0, x1], y: [y0, y1] };
    this.place = {
      x: (v) => left + ((fx(v) - x0) / (x1 - x0 || 1)) * width,
      y: (v) => top + (1 - (fy(v) - y0) / (y1 - y0 || 1)) * height,
    };
  }

  redraw() {
    this.width = this.node.clientWidth;
    if (!this.width) return;
    this.#scales();
    const { left, top, width, height } = this.box,
      { x, y } = this.place;
    const [y0, y1] = this.range.y,
      [x0, x1] = this.range.x;
    const ys = this.y.log ? decades(y0, y1) : ticks(y0, y1, height / 56);
    const xs = (this.x.log ? decades(x0, x1) : ticks(x0, x1, width / 90)).filter(
      (v) => this.x.whole === false || this.x.log || Number.isInteger(v) || x1 - x0 < 2,
    );
    this.hair = shape('g hair');
    this.svg.setAttribute('viewBox', `0 0 ${this.width} ${this.height}`);
    this.svg.replaceChildren(
      ...ys.flatMap((v) => [
        shape('line grid', { x1: left, x2: left + width, y1: y(v), y2: y(v) }),
        shape('text tick', { x: left - 8, y: y(v) + 4, 'text-anchor': 'end' }, brief(v)),
      ]),
      ...across(
        xs.map((v) => [v, Number.isInteger(v) && Math.abs(v) < 1e6 ? count(v) : brief(v)]),
        x,
        top + height,
      ),
      shape('line axis', { x1: left, x2: left + width, y1: top + height, y2: top + height }),
      ...names(this.box, this.x.name, this.y.name, 'up'),
      ...this.series.flatMap((one, i) => this.#curve(one, this.area && i === 0)),
      ...this.lines.flatMap((line) => [
        shape('rect above', { x: left, y: top, width, height: Math.max(0, y(line.y) - top) }),
        shape('line limit', { x1: left, x2: left + width, y1: y(line.y), y2: y(line.y) }),
        shape(
          'text limit',
          { x: left + 8, y: y(line.y) - 7 },
          width > 420 ? line.text : line.brief,
        ),
      ]),
      this.hair,
    );
    this.#show();
  }

  #curve(one, filled) {
    const points = Array.from(one.y, (v, i) => [
      this.place.x(one.x[i]),
      this.place.y(v),
    ]).filter(([, at]) => Number.isFinite(at));
    const path = points
      .map(([px, py], i) => `${i ? 'L' : 'M'}${px.toFixed(1)} ${py.toFixed(1)}`)
      .join('');
    const [y0, y1] = this.range.y,
      floor = this.place.y(Math.max(y0, Math.min(y1, 0)));
    const area =
      filled && points.length > 1
        ? [
            shape(`path area ${one.tone}`, {
              d: `${path}L${points.at(-1)[0]} ${floor}L${points[0][0]} ${floor}Z`,
            }),
          ]
        : [];
    const dots =
      points.length > 160
        ? []
        : points.map(([cx, cy]) => shape(`circle dot ${one.tone}`, { cx, cy, r: 2 }));
    return [...area, shape(`path curve ${one.tone}`, { d: path }), ...dots];
  }

  #show() {
    const first = this.series[0],
      at = this.at,
      { top, height } = this.box;
    const there = this.series.filter((one) => at < one.y.length);
    const x = this.place.x(first.x[at]);
    this.hair.replaceChildren(
      shape('line guide', { x1: x, x2: x, y1: top, y2: top + height }),
      ...there
        .filter((one) => Number.isFinite(this.place.y(one.y[at])))
        .map((one) =>
          shape(`circle ring ${one.tone}`, {
            cx: this.place.x(one.x[at]),
            cy: this.place.y(one.y[at]),
            r: 4.5,
          }),
        ),
    );
    this.readout.replaceChildren(
      element('span.where', {}, `${this.x.name} `, element('b', {}, brief(first.x[at], 7))),
      ...there.filter((one, i) => one.name || i === 0 || i === there.length - 1).flatMap((one) => [
        ' ',
        element(`span.value.${one.tone}`, {}, brief(one.y[at], 7)),
      ]),
    );
  }

  #to(at) {
    this.at = Math.max(0, Math.min(this.series[0].x.length - 1, at));
    this.#show();
  }

  #point(event) {
    if (!this.box) return;
    const target = event.clientX - this.svg.getBoundingClientRect().left,
      xs = this.series[0].x;
    let low = 0,
      high = xs.length - 1; // x grows
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.place.x(xs[middle]) < target) low = middle + 1;
      else high = middle;
    }
    this.#to(
      low > 0 && target - this.place.x(xs[low - 1]) < this.place.x(xs[low]) - target
        ? low - 1
        : low,
    );
  }

  #key(event) {
    const far = event.shiftKey ? 10 : 1,
      last = this.series[0].x.length - 1;
    const to = { ArrowLeft: this.at - far, ArrowRight: this.at + far, Home: 0, End: last }[
      event.key
    ];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.#to(to);
  }
}
