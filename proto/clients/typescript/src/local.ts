// SPDX-License-Identifier: Apache-2.0
// local.ts - the library in this program: the same methods as of a service, computed by a WebAssembly
// module, with the service's bytes.
import { Client } from "./client.js";
import { ask } from "./loaded.js";
import type { Asked } from "./module.js";
import { MODULES } from "./modules.js";
import { ask as askWorker } from "./workers.js";

export interface LocalOptions {
  /** Where the modules are; by default beside this file. */
  readonly modules?: URL | string;
  /** Whether a worker computes, one for all callers, so that this thread is free meanwhile. It is worker.js
   * beside the modules. */
  readonly worker?: boolean;
}

const NAMED = /"format"\s*:\s*"([^"]*)"/; // in a body of JSON

/** The format that the query, a body of JSON or nothing at all asks for; undefined where Accept chooses. */
function formatOf(given: URLSearchParams, { accept, type, body }: Asked): string | undefined {
  const isJson = /^application\/json/i.test(type ?? "");
  const named = given.get("format") ?? (isJson ? NAMED.exec(new TextDecoder().decode(body))?.[1] : undefined);
  if (named !== undefined) return named;
  return accept === undefined || accept === "*/*" || accept === "application/json" ? "json" : undefined;
}

/** The shortest module that has what a request asks for; the last one has everything. */
function fileFor(asked: Asked): string {
  const { path, query, type } = asked;
  const encoding = /^\/v1\/([^/]+(?:\/apply)?)$/.exec(path)?.[1];
  const given = new URLSearchParams(query);
  const format = formatOf(given, asked);
  const found = MODULES.find((one) =>
    (one.paths.includes(path) || (encoding !== undefined && one.encodings.includes(encoding))) &&
    format !== undefined && one.formats.includes(format) && (one.models || !given.has("model")) &&
    (type === undefined || one.bodies === null || one.bodies.some((body) => type.startsWith(body))));
  return found?.file ?? "posenc.wasm";
}

async function bodyOf(body: RequestInit["body"]): Promise<Uint8Array | undefined> {
  if (body === undefined || body === null) return undefined;
  return body instanceof Uint8Array ? body : new Uint8Array(await new Response(body).arrayBuffer());
}

/** What a function promises, unless the signal ends the waiting. */
async function unlessAborted<T>(begin: () => Promise<T>, signal: AbortSignal | undefined | null): Promise<T> {
  signal?.throwIfAborted();
  let stop = (): void => undefined;
  const ended = new Promise<never>((_, reject) => {
    stop = () => reject(signal?.reason as Error);
    signal?.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([begin(), ended]);
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

/**
 * A fetch that a module answers in place of a service: for Options.fetch, and for programs that ask by
 * URLs. The host of a URL does not matter.
 */
export function localFetch(options: LocalOptions = {}): typeof fetch {
  const folder = new URL(options.modules ?? new URL("./", import.meta.url),
    typeof location === "undefined" ? undefined : location.href);
  return async (input, init = {}) => {
    const request = input instanceof Request ? input : undefined;
    const url = new URL(input instanceof Request ? input.url : input, "http://local/");
    const headers = new Headers(init.headers ?? request?.headers);
    const asked: Asked = {
      method: init.method ?? request?.method ?? "GET",
      path: decodeURIComponent(url.pathname),
      query: url.search.slice(1),
      accept: headers.get("Accept") ?? undefined,
      type: headers.get("Content-Type") ?? undefined,
      body: await bodyOf(init.body ?? request?.body),
    };
    const address = new URL(fileFor(asked), folder).href;
    const signal = init.signal ?? request?.signal;
    const answer = await unlessAborted(
      () => options.worker ? askWorker(address, asked) : ask(address, asked, signal), signal);
    return new Response(answer.body as BodyInit, { status: answer.status, headers: answer.headers });
  };
}

/** A client without a service: local().rope({ pos: "0:4", dim: 128 }) computes in this program. */
export function local(options: LocalOptions = {}): Client {
  return new Client({ url: "http://local", fetch: localFetch(options), timeout: Infinity, retries: 0 });
}
