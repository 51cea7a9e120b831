// SPDX-License-Identifier: Apache-2.0
// figure.js - the figure of an answer, chosen by the axes that the schema gives its output, not
// by the encoding.

import { clocks } from './clocks.js';
import { element } from './element.js';
import { Heatmap, valueText } from './heatmap.js';
import { matrixOf, valuesOf } from './matrix.js';
import { count } from './number.js';
import { recoloured, scaleOf } from './palette.js';
import { Plot } from './plot.js';
import { paintSmall } from './raster.js';
import { onTheme, theme } from './site.js';
import { word } from './words.js';

const MOST_HEADS = 64;

const logarithmic = (output) => output.scale === 'logarithmic';

/** Curves of one axis: all series have the output's axis. */
export function plotOf(series, output, params, context) {
  const [axis] = output.axes,
    n = series[0].y.length,
    value = valuesOf(axis, n, params);
  const log = logarithmic(output);
  const lines =
    output.name === 'wavelengths' && context
      ? [
          {
            y: context,
            text: word('context, {} positions: pairs above never complete a turn', count(context)),
            brief: word('context, {} positions', count(context)),
          },
        ]
      : [];
  return new Plot({
    name: output.label,
    lines,
    area: series.length === 1 && axis?.name === 'distance',
    series: series.map((one) => ({ ...one, x: Array.from(one.y, (_, i) => value(i)) })),
    x: { name: axis?.label ?? 'index' },
    y: { name: output.label.toLowerCase(), log },
  });
}

/** The number of an output without axes. */
function single(tensor, output) {
  const kind = {
    isHidden: () => false,
    kind: tensor.kind === 'mask' ? 'index' : tensor.kind,
    dtype: tensor.dtype,
  };
  return element(
    'p.single',
    {},
    element('b', {}, valueText(kind, tensor.data[0])),
    element('span.faint', {}, output.doc),
  );
}

/** What the reader chose of colours, and may choose. */
const coloursOf = ({ palette, coloured }) => ({ palette, coloured });

function heatmapOf(tensor, output, params, view) {
  const map = new Heatmap({ ...coloursOf(view), name: output.label, moved: view.moved });
  if (view.cell) map.cell = view.cell;
  map.draw(matrixOf(tensor, output, params));
  return map.node;
}

/** Small pictures of all matrices on one scale, to choose from. */
function strip(tensor, output, params, shared, choose) {
  const [n, rows, columns] = tensor.shape,
    label = output.axes[0]?.label ?? 'matrix';
  const options = Array.from({ length: Math.min(n, MOST_HEADS) }, (_, i) => {
    const canvas = element('canvas', { 'aria-hidden': 'true' });
    const draw = () =>
      paintSmall(canvas, matrixOf(tensor, output, params, i * rows * columns), shared, theme());
    draw();
    onTheme(draw);
    return element(
      'label',
      {},
      element('input', {
        type: 'radio',
        name: 'head',
        value: i,
        'aria-label': `${label} ${i}`,
        onchange: () => choose(i),
      }),
      canvas,
      element('span', {}, String(i)),
    );
  });
  return element(
    'fieldset.strip',
    {},
    element('legend', {}, `${count(n)} × ${label}, on one scale`),
    element('div', {}, options),
  );
}

/** Three axes: one matrix large, all of them small. */
function stack(tensor, output, params, view) {
  const [n, rows, columns] = tensor.shape,
    shared = recoloured(scaleOf(tensor), view.palette);
  const map = new Heatmap({
    ...coloursOf(view),
    name: output.label,
    moved: view.moved,
    share: 0.5,
  });
  const show = (i) => map.draw(matrixOf(tensor, output, params, i * rows * columns), shared);
  const first = Math.min(n - 1, Number(view.head) || 0);
  if (view.cell) map.cell = view.cell;
  const choice = strip(tensor, output, params, shared, (i) => {
    show(i);
    view.chosen(i);
  });
  choice.querySelectorAll('input')[first]?.setAttribute('checked', '');
  show(first);
  return element('div.stack', {}, map.node, n > 1 ? choice : null);
}

/** Four axes and more: a choice for each axis before the last two. */
function slices(tensor, output, params, view) {
  const leading = tensor.shape.slice(0, -2),
    [rows, columns] = tensor.shape.slice(-2);
  const map = new Heatmap({ ...coloursOf(view), name: output.label, moved: view.moved }),
    at = leading.map(() => 0);
  const scale = scaleOf(tensor);
  const show = () =>
    map.draw(
      matrixOf(
        tensor,
        output,
        params,
        at.reduce((offset, index, i) => offset * leading[i] + index, 0) * rows * columns,
      ),
      scale,
    );
  const choices = leading.map((n, i) =>
    element(
      'label.slice',
      {},
      output.axes[i]?.label ?? `axis ${i}`,
      element(
        'select',
        {
          onchange: (event) => {
            at[i] = Number(event.target.value);
            show();
          },
        },
        Array.from({ length: Math.min(n, 4096) }, (_, k) =>
          element('option', { value: k }, String(k)),
        ),
      ),
    ),
  );
  show();
  return element('div', {}, element('div.slices', {}, choices), map.node);
}

/** The figure of a tensor. view: {cell, head, moved(cell), chosen(head), palette,
 * coloured(palette), context}. */
export function figureOf(tensor, output, params, view) {
  const rank = tensor.shape.length;
  if (tensor.data.length === 0) return element('p.state', {}, 'The answer has no elements.');
  if (rank === 0) return single(tensor, output);
  if (rank === 1 && tensor.kind === 'real')
    return plotOf(
      [{ name: output.label, y: tensor.data, tone: 'a' }],
      output,
      params,
      view.context,
    ).node;
  if (rank === 1) {
    const line = { ...tensor, shape: [1, tensor.shape[0]] };
    return heatmapOf(line, { ...output, axes: [{ label: '' }, output.axes[0]] }, params, view);
  }
  if (rank === 2) return heatmapOf(tensor, output, params, view);
  return rank === 3
    ? stack(tensor, output, params, view)
    : slices(tensor, output, params, view);
}

/** The rotation of pairs: clocks, and below them the wavelengths. view: {context, position of the
 * hands, turned(position)}. */
export function rotationOf(frequencies, wavelengths, output, params, view) {
  const { context } = view;
  return element(
    'div',
    {},
    clocks(frequencies.data, { ...view, longest: context || 8192 }),
    plotOf([{ name: output.label, y: wavelengths.data, tone: 'a' }], output, params, context)
      .node,
  );
}
