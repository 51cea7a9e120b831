// SPDX-License-Identifier: Apache-2.0
// model_parts.js - what a config.json says of positions: part by part, with its layers and the
// tables that it needs.

import { element } from './element.js';
import { count } from './number.js';
import { readRequest } from './query.js';
import { answerTo } from './service.js';
import { pageAt } from './site.js';

const explorerOf = (url) => pageAt(url.replace(/^\/v1\//, '/explore/'));

/** Layers as ranges: 0–4, 6. */
function rangesOf(layers) {
  const ranges = [];
  for (const layer of layers) {
    const last = ranges.at(-1);
    if (last && last[1] === layer - 1) last[1] = layer;
    else ranges.push([layer, layer]);
  }
  return ranges.map(([a, b]) => (a === b ? String(a) : `${a}–${b}`)).join(', ');
}

const layersOf = ({ layers, layer_type: kind }) =>
  [layers ? `layers ${rangesOf(layers)}` : 'every layer', kind].filter(Boolean).join(' · ');

function tableOf(url) {
  const { name, params } = readRequest(url);
  const text = params.out ? params.out : name;
  return element('a.chip', { href: explorerOf(url) }, `${text.replaceAll('_', ' ')}`);
}

/** A part: an encoding, where it is, its settings and its tables. */
function part(use) {
  if (!use.encoding)
    return element('section.part', {}, element('h3', {}, 'No encoding'), element('p', {}, layersOf(use)));
  const settings = Object.entries(use.parameters ?? {});
  return element(
    'section.part',
    {},
    element(
      'h3',
      {},
      element('a', { href: pageAt(`/docs/${use.encoding.replace(/\/apply$/, '')}`) }, use.encoding),
      element('span.faint', {}, ` ${layersOf(use)}`),
    ),
    settings.length
      ? element('p.mono', {}, settings.map(([name, value]) => `${name}=${value}`).join('  '))
      : null,
    use.note ? element('p', {}, use.note) : null,
    element('div.row', {}, (use.urls ?? []).map(tableOf)),
  );
}

/** The card of a config.json: its body is read by the service, or by the module. */
export async function partsOf(file, signal) {
  const facts = await answerTo('/v1/models/resolve', file, 'application/json', signal);
  const parts = [...(facts.uses ?? []), ...(facts.besides ?? [])];
  const told = [
    facts.family,
    facts.layers && `${count(facts.layers)} layers`,
    facts.max_position_embeddings && `${count(facts.max_position_embeddings)} positions`,
  ].filter(Boolean);
  return element(
    'article.verdict.good',
    {},
    element('p.tag', {}, `${file.name} · ${told.join(' · ')}`),
    element(
      'h2',
      { tabindex: -1 },
      `This model has ${count(parts.length)} positional part${parts.length === 1 ? '' : 's'}`,
    ),
    parts.map(part),
  );
}
