// SPDX-License-Identifier: Apache-2.0
// model.js - figures of a model's page: the wavelengths of all its uses in one plot, with the
// context; and the table of each use, below the text that the service writes about it.

import { element } from './element.js';
import { figureOf, plotOf } from './figure.js';
import { readRequest } from './query.js';
import { documentAt, tensorOf } from './service.js';
import { snippet } from './snippet.js';

const ROWS = '0:128'; // positions of a table that is drawn
const LENGTH = '64'; // queries and keys of a bias that is drawn
const TONES = 'ab';

/** The parameters that name the use: model and kind of layer. */
function namesOf(id, use) {
  return use.layer_type ? { model: id, layer_type: use.layer_type } : { model: id };
}

/** The wavelengths of the first two rotary uses, where the page has a place for figures. */
async function showWavelengths(main, id, facts) {
  const uses = facts.uses.filter((use) => use.encoding === 'rope').slice(0, TONES.length);
  if (!uses.length) return;
  const schema = await documentAt('/v1/encodings/rope');
  const output = schema.outputs.find((one) => one.name === 'wavelengths');
  const requests = uses.map((use) => ({ ...namesOf(id, use), out: 'wavelengths' }));
  const tensors = await Promise.all(requests.map((params) => tensorOf('rope', params)));
  const series = tensors.map(({ data }, i) => ({
    name: uses[i].layer_type ?? 'every layer',
    y: data,
    tone: TONES[i],
  }));
  main
    .querySelector('.figures')
    .append(
      element('h2', {}, 'Wavelengths'),
      plotOf(series, output, {}, facts.max_position_embeddings).node,
      snippet('rope', { ...requests[0], out: 'inv_freq' }, 'inv_freq', 'f32'),
    );
}

/** The first output of a use, as its page in the explorer begins. */
async function showTable(section, use) {
  const { name, params } = readRequest(use.named_urls[0]);
  const { outputs } = await documentAt(`/v1/encodings/${name}`);
  const output = outputs.find((one) => one.default);
  if (!output || output.axes.length < 2) return;
  const shape = params.pos ? { pos: ROWS } : params.len ? { len: LENGTH } : {};
  const request = { ...params, ...shape, out: output.name };
  const tensor = await tensorOf(name, request);
  const view = { moved: () => {}, chosen: () => {} };
  section.append(figureOf(tensor, output, { ...tensor.effective, ...request }, view));
}

export async function model(main) {
  const id = decodeURIComponent(location.pathname.split('/models/')[1]);
  const facts = await documentAt(`/v1/models/${id}`);
  const sections = main.querySelectorAll('.use');
  await showWavelengths(main, id, facts);
  for (const [i, use] of facts.uses.entries())
    if (sections[i]) await showTable(sections[i], use);
}
