// SPDX-License-Identifier: Apache-2.0
// other.js - the second request of a comparison, made from the name of an encoding or of a model,
// with the output and the sizes of the first one as far as it has them.

import { readRequest } from './query.js';
import { Request } from './request.js';
import { knownModels, modelNamed } from './search.js';
import { documentAt, outlookOf } from './service.js';

// The parameter that decides the length of an axis, by the axis's name, and its value.
const SIZES = {
  heads: ['heads', String],
  q: ['len', String],
  pos: ['pos', (n) => `0:${n}`],
};

/** The first request that a model's document names, of this encoding if it has one. */
async function requestOf(id, encoding) {
  const { uses } = await documentAt(`/v1/models/${id}`);
  const named = uses.filter((use) => use.named_urls?.length);
  const use = named.find((one) => one.encoding === encoding) ?? named[0];
  if (!use) throw new Error(`${id} has nothing that is computed without a tensor of yours`);
  return readRequest(use.named_urls[0]);
}

/** {name, params} of a text: a request "rope?dim=64", an encoding, or any name of a model. */
export async function requestNamed(text, encoding) {
  const request = readRequest(text.trim());
  if (text.includes('?')) return request;
  const model = modelNamed(await knownModels(), text);
  return model ? requestOf(model.id, encoding) : request;
}

/** Whether the request has a tensor, whose sizes the others must fit. */
const hasTensor = ({ schema, params }) =>
  schema.params.some(({ name, type }) => type === 'tensor' && name in params);

/** Gives the requests one shape, by the sizes of the second in the first, or the other way. */
async function fitSizes(a, b) {
  const [x, y] = await Promise.all([a, b].map((one) => outlookOf(one.name, one.params)));
  if (x.shape.length !== y.shape.length) return;
  for (const [i, axis] of b.output.axes.entries()) {
    const [param, valueOf] = SIZES[axis.name] ?? [];
    if (!param || x.shape[i] === y.shape[i]) continue;
    const takes = (one) => one.output.uses.includes(param) && !hasTensor(one);
    if (takes(b)) b.set({ [param]: a.params[param] ?? valueOf(x.shape[i]) });
    else if (takes(a) && !a.given.has(param)) a.set({ [param]: valueOf(y.shape[i]) });
  }
}

/** The request to compare a request with: of an encoding, or of a model (id). */
export async function otherOf(a, { name, id }) {
  const named = id ? await requestOf(id, a.name) : { name, params: {} };
  const schema =
    named.name === a.name ? a.schema : await documentAt(`/v1/encodings/${named.name}`);
  const b = new Request(schema, named.params);
  const same = schema.outputs.find((one) => one.name === a.output.name);
  if (same && !named.params.out) b.open(same);
  await fitSizes(a, b);
  return b;
}
