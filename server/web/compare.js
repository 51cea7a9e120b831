// SPDX-License-Identifier: Apache-2.0
// compare.js - the page of comparisons to start from.

import { element, settle } from './element.js';
import { pageAt } from './site.js';
import { documentAt, tensorOf } from './service.js';
import { otherOf, requestNamed } from './other.js';
import { explorerAt, readRequest, writeQuery } from './query.js';
import { nameOf, Request } from './request.js';
import { comparisonOf } from './comparison.js';
import { allEntries, find } from './search.js';

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

/** Draws the comparison of two requests; where there is none, its place is taken away. */
async function drawStart(place, [a, b]) {
  try {
    const [x, y] = await Promise.all([a, b].map((one) => tensorOf(one.name, one.params)));
    const params = { ...a.params, layout: '' };
    place.append(comparisonOf(x, y, OUTPUTS[a.params.out], params, [nameOf(a), nameOf(b)]));
    settle();
  } catch {
    place.remove();
  }
}

function start([title, text, first, second], drawn) {
  const place = element('div.preview');
  const { name, params } = readRequest(first);
  drawn.push(drawStart(place, [first, second].map(readRequest)));
  return element(
    'section.start',
    {},
    element('h2', {}, element('a', { href: pageAt(explorerAt(name, params, { vs: second })) }, title)),
    element('p', {}, text),
    place,
  );
}

/** The requests of /compare?a=...&b=..., escaped or not; null without them. */
function asked() {
  const found = /^\?a=(.+?)&b=(.+)$/.exec(location.search);
  return found && found.slice(1).map(decodeURIComponent);
}

/** The two requests; null in the place of one whose name nothing has. */
async function requestsOf(texts) {
  const { encodings } = await documentAt('/v1/encodings?fields=name');
  const known = (one) => (encodings.some(({ name }) => name === one.name) ? one : null);
  const a = known(await requestNamed(texts[0]));
  return [a, known(await requestNamed(texts[1], a?.name))];
}

/** The requests, where the second is an encoding alone: with an output and sizes of the first. */
async function fitted([a, b], [, text]) {
  if (text.includes('?') || Object.keys(b.params).length || a.name === b.name) return [a, b];
  const first = new Request(await documentAt(`/v1/encodings/${a.name}`), a.params);
  return [first, await otherOf(first, b)];
}

const NEAREST = 4; // names that are offered for one that is not known

/** Says that nothing has a name, and offers the nearest ones in its place. */
async function unknown(texts, wrong) {
  const all = (await allEntries()).filter(({ group, id }) => id || group !== 'parameters');
  const words = texts[wrong].split('?')[0].split(/[^a-zA-Z0-9]+/).filter(Boolean);
  const near = [words.join(' '), ...words].flatMap((word) => find(all, word).entries);
  const links = [...new Set(near)].slice(0, NEAREST).map(({ name }) => {
    const [a, b] = texts.map((text, i) => encodeURIComponent(i === wrong ? name : text));
    return [' ', element('a', { href: pageAt(`/compare?a=${a}&b=${b}`) }, name)];
  });
  return element(
    'section.state.bad',
    { role: 'alert' },
    element('h2', {}, `No encoding and no model is called ${texts[wrong].split('?')[0]}`),
    element('p', {}, links.length ? ['Near it are:', links] : 'Here are comparisons to start from.'),
  );
}

export async function compare(main) {
  const texts = asked();
  const both = texts && (await requestsOf(texts));
  const wrong = both?.findIndex((one) => !one);
  if (wrong >= 0) {
    main.append(await unknown(texts, wrong));
  } else if (both) {
    const [a, b] = await fitted(both, texts);
    const vs = `${b.name}?${writeQuery(b.params)}`;
    location.replace(pageAt(explorerAt(a.name, a.params, { vs })));
    return;
  }
  const drawn = [];
  main.append(
    element(
      'div.starts',
      {},
      STARTS.map((one) => start(one, drawn)),
    ),
  );
  await Promise.all(drawn);
}
