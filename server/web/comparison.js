// SPDX-License-Identifier: Apache-2.0
// comparison.js - two answers of one shape: how many elements are equal, where they differ most,
// and both with their difference. A is blue and B orange in every figure.

import { element } from './element.js';
import { plotOf } from './figure.js';
import { Heatmap } from './heatmap.js';
import { matrixOf } from './matrix.js';
import { brief, count } from './number.js';
import { scaleOf } from './palette.js';

/** {equal, most, at, mean, ratio} of two lists of numbers. Two masked entries are equal. */
export function differenceOf(a, b) {
  let equal = 0,
    most = 0,
    at = 0,
    sum = 0,
    ratio = 1;
  for (let i = 0; i < a.length; i++) {
    const gap = Math.abs(a[i] - b[i]);
    if (Object.is(a[i], b[i]) || a[i] === b[i]) equal++;
    else {
      sum += gap;
      if (gap > most) [most, at] = [gap, i];
      if (a[i] > 0 && b[i] > 0) ratio = Math.max(ratio, a[i] / b[i], b[i] / a[i]);
    }
  }
  return { equal, most, at, mean: a.length ? sum / a.length : 0, ratio };
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
  const found = differenceOf(a.data, b.data),
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
  ]);
}

/** Three maps, A, B and A - B, whose cross hairs move together. */
function maps(a, b, output, params, names) {
  const difference = Float64Array.from(a.data, (value, i) =>
    value === b.data[i] ? 0 : value - b.data[i],
  );
  const shared = scaleOf(a),
    all = [];
  const parts = [
    [names[0], a, shared, 'a'],
    [names[1], b, shared, 'b'],
    [
      'A − B',
      { ...a, data: difference, dtype: 'difference', kind: 'real', hidden: undefined },
      undefined,
      'd',
    ],
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

/** Both answers in one figure; names are those of the requests. */
export function comparisonOf(a, b, output, params, names, context) {
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
  return element(
    'div',
    {},
    summary(a, b, output, params),
    a.shape.length === 1
      ? plotOf(series, output, params, context).node
      : maps(
          a,
          b,
          output,
          params,
          names.map((name, i) => `${'AB'[i]}  ${name}`),
        ),
  );
}
