// SPDX-License-Identifier: Apache-2.0
// model.js - figures of a model's page: the wavelengths of its uses in one plot, with the
// context; and the table of each use, below the text that the service writes about it. A use that
// cannot be drawn says so and leaves the others as they are.

import { element, settle } from './element.js';
import { figureOf, plotOf } from './figure.js';
import { readRequest } from './query.js';
import { documentAt, tensorOf } from './service.js';
import { addSkipToPicture } from './skipping.js';
import { snippet } from './snippet.js';
import { failureOf } from './state.js';

const ROWS = '0:128'; // positions of a table that is drawn
const LENGTHS = ['64', '512']; // queries and keys of a bias that is drawn: the first that have an element
const TONES = 'ab';

/** What a request has besides the model: the layers, the list or length that a model leaves open. */
function titleOf({ layer_type: layers, longrope_list: list, seq_len: length }) {
  const told = [list && `${list} list`, length && `seq_len ${length}`].filter(Boolean);
  return [layers ?? 'every layer', ...told].join(', ');
}

/** The first requests for frequencies whose encoding has wavelengths as well, with that output; a
 * model may have several. */
async function frequenciesOf(facts) {
  const named = facts.uses.flatMap((use) => use.named_urls ?? []).map(readRequest);
  const found = [];
  for (const { name, params } of named.filter((one) => one.params.out === 'inv_freq')) {
    const { outputs } = await documentAt(`/v1/encodings/${name}`);
    const output = outputs.find((one) => one.name === 'wavelengths');
    if (output) found.push({ name, params, output });
  }
  return found.slice(0, TONES.length);
}

/** The wavelengths of the first two of these requests, where the page has a place for figures. */
async function showWavelengths(place, facts) {
  const requests = await frequenciesOf(facts);
  if (!requests.length) return;
  const [{ name, params, output }] = requests;
  const tensors = await Promise.all(
    requests.map((one) => tensorOf(one.name, { ...one.params, out: one.output.name })),
  );
  const series = tensors.map(({ data }, i) => ({
    name: titleOf(requests[i].params),
    y: data,
    tone: TONES[i],
  }));
  place.append(
    element('h2', {}, 'Wavelengths'),
    plotOf(series, output, {}, facts.max_position_embeddings).node,
    snippet(name, params, params.out, 'f32'),
  );
  settle();
}

/** The output that a request of a use answers: what it names, or the first default one for which
 * the client need not bring anything. */
const answeredBy = (outputs, { out }, needs = {}) =>
  outputs.find((one) => (out ? one.name === out : one.default && !needs[one.name]));

/** The first output of a use, as its page in the explorer begins. Where all outputs need what only
 * the client has, the text says so, and nothing is drawn. */
async function showTable(place, use) {
  if (!use.named_urls?.length) return;
  const { name, params } = readRequest(use.named_urls[0]);
  const { outputs } = await documentAt(`/v1/encodings/${name}`);
  const output = answeredBy(outputs, params, use.needs);
  if (!output || output.axes.length < 2) return;
  const shapes = params.pos ? [{ pos: ROWS }] : params.len ? LENGTHS.map((len) => ({ len })) : [{}];
  let request, tensor;
  for (const shape of shapes) {
    request = { ...params, ...shape, out: output.name };
    tensor = await tensorOf(name, request);
    if (tensor.data.length > 0) break; // compressed entries stand for up to 128 keys each
  }
  const view = { moved: () => {}, chosen: () => {} };
  place.append(figureOf(tensor, output, { ...tensor.effective, ...request }, view));
  settle();
}

/** Waits for a figure; a failure is told in its place. */
const told = (place, figure) =>
  figure.catch((error) => place.append(failureOf(error, () => location.reload())));

export async function model(main) {
  const id = decodeURIComponent(/\/models\/(.*?)\/?(index\.html)?$/.exec(location.pathname)[1]);
  const facts = await documentAt(`/v1/models/${id}`);
  const sections = main.querySelectorAll('.use');
  const figures = main.querySelector('.figures');
  addSkipToPicture(main);
  await told(figures, showWavelengths(figures, facts));
  for (const [i, use] of facts.uses.entries())
    if (sections[i]) await told(sections[i], showTable(sections[i], use));
}
