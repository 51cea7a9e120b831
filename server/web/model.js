// SPDX-License-Identifier: Apache-2.0
// model.js - figures of a model's page: the wavelengths of all its uses in one plot, with the
// context, over the text that the service writes.

import { element } from './element.js';
import { plotOf } from './figure.js';
import { documentAt, tensorOf } from './service.js';
import { snippet } from './snippet.js';

const OUTPUT = {
  name: 'wavelengths',
  label: 'Wavelengths',
  scale: 'logarithmic',
  axes: [{ name: 'pair', label: 'pair' }],
};

export async function model(main) {
  const id = decodeURIComponent(location.pathname.split('/models/')[1] ?? '');
  const facts = id && (await documentAt(`/v1/models/${id}`));
  const rotary = facts ? facts.uses.filter((use) => use.encoding === 'rope').slice(0, 2) : [];
  if (!rotary.length) return;
  const requests = rotary.map((use) => ({
    model: id,
    ...(use.layer_type && { layer_type: use.layer_type }),
    out: 'wavelengths',
  }));
  const tensors = await Promise.all(requests.map((params) => tensorOf('rope', params)));
  const series = tensors.map((tensor, i) => ({
    name: rotary[i].layer_type ?? 'every layer',
    y: tensor.data,
    tone: 'ab'[i],
  }));
  const place = element('section.waves');
  (main.querySelector('.facts') ?? main.firstElementChild).after(place);
  place.append(
    element('h2', {}, 'Wavelengths'),
    plotOf(series, OUTPUT, {}, facts.max_position_embeddings).node,
    snippet('rope', { ...requests[0], out: 'inv_freq' }, 'inv_freq', 'f32'),
  );
}
