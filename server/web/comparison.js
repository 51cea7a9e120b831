// SPDX-License-Identifier: Apache-2.0
// comparison.js - two answers of one shape: how many elements are equal, where they differ most,
// and both with their difference. A is blue and B orange in every figure. Colours of A and B are on
// one scale that holds both, or each has its own; a switch says which.

import { element } from './element.js';
import { plotOf } from './figure.js';
import { Heatmap } from './heatmap.js';
import { matrixOf } from './matrix.js';
import { brief, count } from './number.js';
import { scaleOf, scaleOfBoth } from './palette.js';

/** Whether the value stands for a masked entry, or is no number. */
const isMasked = (value, hidden) => value <= hidden || value === -Infinity || value !== value;

/** {equal, most, at, mean, ratio, alone} of the numbers of two tensors. Two masked entries are
 * equal; `alone` counts those that are masked in one of them, which have no difference. */
export function differenceOf({ data: a, hidden: hiddenA }, { data: b, hidden: hiddenB }) {
  let [equal, most, at, sum, ratio, alone] = [0, 0, 0, 0, 1, 0];
  for (let i = 0; i < a.length; i++) {
    const masked = isMasked(a[i], hiddenA) + isMasked(b[i], hiddenB);
    if (masked === 2 || a[i] === b[i]) equal++;
    else if (masked) alone++;
    else {
      const gap = Math.abs(a[i] - b[i]);
      sum += gap;
      if (gap > most) [most, at] = [gap, i];
      if (a[i] > 0 && b[i] > 0) ratio = Math.max(ratio, a[i] / b[i], b[i] / a[i]);
    }
  }
  const compared = a.length - alone;
  return { equal, most, at, mean: compared ? sum / compared : 0, ratio, alone };
}

/** The names of the axes with the values of the element's place. */
function placeOf(index, shape, output, params) {
  if (shape.length < 2) return '';
  const { rowText, columnText, rowName, columnName, columns, rows } = matrixOf(
    { shape, data: [], kind: 'real' },
    output,
    params,
  );
  return `${rowName} ${rowText(Math.floor(index / columns) % rows)}, ${columnName} ${columnText(index % columns)}`;
}

function counts(list) {
  return element(
    'dl.counts',
    {},
    list.map(([name, value, more]) =>
      element(
        'div',
        {},
        element('dt', {}, name),
        element('dd', {}, value, more ? element('span.faint', {}, ` ${more}`) : null),
      ),
    ),
  );
}

function summary(a, b, output, params) {
  const found = differenceOf(a, b),
    n = a.data.length;
  const share = found.equal === n ? 'all' : `${brief((100 * found.equal) / n, 3)} %`;
  if (output.scale === 'logarithmic')
    return counts([
      ['equal', `${count(found.equal)} of ${count(n)}`],
      ['largest ratio', `× ${brief(found.ratio, 3)}`],
    ]);
  return counts([
    ['equal', share, `of ${count(n)}`],
    [
      'largest difference',
      found.most ? brief(found.most) : 'none',
      found.most ? placeOf(found.at, a.shape, output, params) : '',
    ],
    ['mean difference', brief(found.mean, 3)],
    ...(found.alone ? [['masked in one of them', count(found.alone), `of ${count(n)}`]] : []),
  ]);
}

/** A - B, element by element; what is masked in one of them alone has no difference. */
function differences(a, b) {
  const data = Float64Array.from(a.data, (value, i) => {
    const masked = isMasked(value, a.hidden) + isMasked(b.data[i], b.hidden);
    return masked === 1 ? NaN : masked || value === b.data[i] ? 0 : value - b.data[i];
  });
  return { ...a, data, dtype: 'difference', kind: 'real', hidden: undefined };
}

/** The switch between one scale for both and a scale for each. */
function scaleSwitch(own, choose) {
  const choice = (value, text) =>
    element(
      'label',
      {},
      element('input', {
        type: 'radio',
        name: 'scale',
        checked: value === own,
        onchange: () => choose(value),
      }),
      element('span', {}, text),
    );
  return element(
    'div.scales',
    {},
    element('span', {}, 'Colours of A and B'),
    element(
      'div.segments',
      { role: 'radiogroup', 'aria-label': 'colours of A and B' },
      choice(false, 'on one scale'),
      choice(true, 'each on its own'),
    ),
  );
}

/** Three maps, A, B and A - B, whose cross hairs move together. */
function maps(a, b, output, params, names, own) {
  const scales = [scaleOf(a), scaleOf(b)],
    all = [];
  const shared = own || a.kind !== b.kind ? undefined : scaleOfBoth(...scales);
  const parts = [
    [names[0], a, shared ?? scales[0], 'a'],
    [names[1], b, shared ?? scales[1], 'b'],
    ['A − B', differences(a, b), undefined, 'd'],
  ];
  return element(
    'div.three',
    {},
    parts.map(([name, tensor, scale, tone], i) => {
      const map = new Heatmap({
        name,
        curves: false,
        share: 0.44,
        moved: ({ row, column }) =>
          all.forEach((other, j) => j !== i && other.move(row, column, false)),
      });
      all.push(map);
      map.draw(matrixOf(tensor, output, params), scale);
      return element(`section.${tone}`, {}, element('h2', {}, name), map.node);
    }),
  );
}

/** Both answers in one figure; names are those of the requests. view: {context, own: whether A and B
 * have a scale each, scaled(own): called when the reader chooses; without it there is no choice}. */
export function comparisonOf(a, b, output, params, names, { context, own = false, scaled } = {}) {
  if (a.shape.join() !== b.shape.join())
    return element(
      'p.state',
      {},
      `The shapes differ: ${a.shape.join(' × ')} and ${b.shape.join(' × ')}. Give both requests the same positions and width to compare them.`,
    );
  if (a.shape.length === 0)
    return counts([
      [names[0], brief(a.data[0], 9)],
      [names[1], brief(b.data[0], 9)],
      ['A − B', brief(a.data[0] - b.data[0], 9)],
    ]);
  const series = [
    { name: `A  ${names[0]}`, y: a.data, tone: 'a' },
    { name: `B  ${names[1]}`, y: b.data, tone: 'b' },
  ];
  if (a.shape.length === 1)
    return element(
      'div',
      {},
      summary(a, b, output, params),
      plotOf(series, output, params, context).node,
    );
  const titles = series.map((one) => one.name);
  return element(
    'div',
    {},
    summary(a, b, output, params),
    scaled && a.kind === b.kind && a.kind !== 'mask' ? scaleSwitch(own, scaled) : null,
    maps(a, b, output, params, titles, own),
  );
}
