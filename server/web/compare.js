// SPDX-License-Identifier: Apache-2.0
// compare.js - the page of comparisons to start from.

import { element } from './element.js';
import { prefix } from './site.js';
import { tensorOf } from './service.js';
import { readRequest } from './query.js';
import { nameOf } from './request.js';
import { comparisonOf } from './comparison.js';

const STARTS = [
  [
    'Llama 2 and Llama 3.1',
    'A larger base and scaled frequencies: which pairs still turn within the context.',
    'rope?model=llama-2-7b&out=wavelengths',
    'rope?model=llama-3.1-8b&out=wavelengths',
  ],
  [
    'YaRN and the model as trained',
    'What a longer context does to each pair.',
    'rope?dim=128&out=wavelengths',
    'rope?dim=128&scaling=yarn&factor=8&original_max_position_embeddings=4096&out=wavelengths',
  ],
  [
    'Half and adjacent',
    'One formula, two orders of columns: the mistake that no shape shows.',
    'rope?dim=64&pos=0:64&width=full&out=cos',
    'rope?dim=64&pos=0:64&width=full&pairing=adjacent&out=cos',
  ],
  [
    'Exact and float32 at a million',
    'What rounded angles do to a long context.',
    'rope?dim=128&pos=999936:1000064&out=cos',
    'rope?dim=128&pos=999936:1000064&profile=f32-pow&out=cos',
  ],
];
const OUTPUTS = {
  wavelengths: {
    name: 'wavelengths',
    label: 'Wavelengths',
    scale: 'logarithmic',
    axes: [{ name: 'pair', label: 'pair' }],
  },
  cos: {
    name: 'cos',
    label: 'Cosines',
    columns: 'paired',
    axes: [
      { name: 'pos', label: 'position' },
      { name: 'width', label: 'column' },
    ],
  },
};

function start([title, text, first, second]) {
  const [a, b] = [first, second].map(readRequest),
    place = element('div.preview');
  Promise.all([tensorOf(a.name, a.params), tensorOf(b.name, b.params)]).then(
    ([x, y]) =>
      place.append(
        comparisonOf(
          x,
          y,
          OUTPUTS[a.params.out],
          { ...a.params, layout: '' },
          [nameOf(a), nameOf(b)],
          0,
        ),
      ),
    () => place.remove(),
  );
  return element(
    'section.start',
    {},
    element('h2', {}, element('a', { href: `${prefix}/explore/${first}#vs=${second}` }, title)),
    element('p', {}, text),
    place,
  );
}

export function compare(main) {
  main.append(element('div.starts', {}, STARTS.map(start)));
}
