// SPDX-License-Identifier: Apache-2.0
// service.js - the only module that asks the service. A key, where one is needed, is kept in
// this module's memory and nowhere else.

import { pageAt, prefix, service, told } from './site.js';
import { readNpy } from './npy.js';
import { readQuery, writeQuery } from './query.js';

let key = '';
let askForKey = null;
let question = null; // a promise, while the reader is asked
let answer = (path, options) => fetch(prefix + path, options);
const documents = new Map();

/** A refusal of the service (RFC 9457). */
export class Problem extends Error {
  constructor(status, body, retryAfter) {
    super(body.detail ?? `the service answered ${status}`);
    this.status = status;
    this.kind = (body.type ?? '').split('/').pop();
    this.errors = body.errors ?? [];
    this.retryAfter = retryAfter;
  }
}

/** No answer at all: nobody listens, or the connection broke. */
export class NoAnswer extends Error {}

/** Lets another function answer in place of the service: of path and options, as fetch. */
export function answerBy(other) {
  answer = other;
}

/** Sets the function that asks the reader for a key; it gives a promise of the key. */
export function onKeyNeeded(ask) {
  askForKey = ask;
}

const headers = () => (key ? { Authorization: `Bearer ${key}` } : {});

/** Asks the reader for another key than the one that was refused, once for all requests. */
async function replaceKey(refused) {
  if (key !== refused) return;
  question ??= askForKey(refused !== '').then((typed) => {
    key = typed;
    question = null;
  });
  await question;
}

/** The answer of the service, whatever its status. */
async function reach(path, options) {
  try {
    return await answer(path, options);
  } catch (error) {
    throw error.name === 'AbortError' ? error : new NoAnswer(error.message);
  }
}

async function ask(path, options = {}) {
  const used = key;
  const reply = await reach(path, { ...options, headers: { ...options.headers, ...headers() } });
  if (reply.ok) return reply;
  if (reply.status === 401 && askForKey) {
    await replaceKey(used);
    return ask(path, options);
  }
  const body = options.method === 'HEAD' ? {} : await reply.json().catch(() => ({}));
  throw new Problem(reply.status, body, Number(reply.headers.get('Retry-After')) || 0);
}

/** A JSON document that does not change while the page is open. */
export function documentAt(path) {
  if (!documents.has(path)) {
    const promise = ask(path).then((reply) => reply.json());
    promise.catch(() => documents.delete(path));
    documents.set(path, promise);
  }
  return documents.get(path);
}

/** The document that answers a body, which goes as it is. */
export async function answerTo(path, body, type, signal) {
  const headers = { 'Content-Type': type };
  const reply = await ask(path, { method: 'POST', body, headers, signal });
  return reply.json();
}

/** An answer's bytes and their type, to be sent on. */
export async function bytesAt(path, signal) {
  const reply = await ask(path, { signal });
  return { body: await reply.blob(), type: reply.headers.get('Content-Type') };
}

/** The text of a page of the service, or of a file where pages are files. */
export async function pageTextAt(path) {
  const reply = await fetch(pageAt(path), { headers: { Accept: 'text/html' } });
  if (!reply.ok) throw new Problem(reply.status, {}, 0);
  return reply.text();
}

/** The path of a request, "/v1/rope?dim=64". */
export function pathOf(name, params) {
  const query = writeQuery(params);
  return `/v1/${name}${query ? `?${query}` : ''}`;
}

/** The whole URL, for people to copy. */
export function urlOf(name, params) {
  return service + pathOf(name, params);
}

/** The parameters that an answer was made of, defaults and model included. */
function effectiveOf(reply) {
  return readQuery((reply.headers.get('Content-Location') ?? '').split('?')[1]);
}

/** {shape, bytes, effective} of an answer, from its header. */
function outlookFrom(reply) {
  const shape = reply.headers.get('Posenc-Shape') ?? '';
  return {
    shape: shape.split(',').filter(Boolean).map(Number),
    bytes: Number(reply.headers.get('Content-Length')),
    effective: effectiveOf(reply),
  };
}

/** {shape, bytes, effective} of an answer, without computing it. */
export async function outlookOf(name, params, signal) {
  const path = pathOf(name, { ...params, format: 'npy' });
  try {
    return outlookFrom(await ask(path, { method: 'HEAD', signal }));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return outlookFrom(await ask(path, { signal })); // throws the sentence, which HEAD has not
  }
}

/** An answer with more elements than were wanted, of which only the header was read. */
export class TooLarge extends Error {
  constructor(outlook, elements) {
    super(`${elements} elements`);
    Object.assign(this, { outlook, elements });
  }
}

function refuseLarge(outlook, most) {
  const elements = outlook.shape.reduce((product, n) => product * n, 1);
  if (elements > most) throw new TooLarge(outlook, elements);
}

/** The tensor of an answer, with what was learned on the way: bytes, milliseconds, warning. most:
 * elements of an answer whose numbers are wanted at all. */
export async function tensorOf(name, params, signal, most = Infinity) {
  const started = performance.now();
  // A module computes all numbers before its answer has a header.
  if (most < Infinity && told('modules')) refuseLarge(await outlookOf(name, params, signal), most);
  const reply = await ask(pathOf(name, { ...params, format: 'npy' }), { signal });
  try {
    refuseLarge(outlookFrom(reply), most);
  } catch (error) {
    await reply.body?.cancel();
    throw error;
  }
  const buffer = await reply.arrayBuffer();
  return {
    ...readNpy(buffer),
    bytes: buffer.byteLength,
    milliseconds: performance.now() - started,
    effective: effectiveOf(reply),
    warning: reply.headers.get('Posenc-Warning'),
  };
}

/** Saves bytes as a file of the reader's. */
export function save(blob, file) {
  const href = URL.createObjectURL(blob);
  Object.assign(document.createElement('a'), { href, download: file }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}

/** Saves an answer as a file; a link cannot send a key. */
export async function download(name, params, file) {
  const reply = await ask(pathOf(name, params));
  save(await reply.blob(), file);
}

export const hasKey = () => key !== '';
