// SPDX-License-Identifier: Apache-2.0
// node.ts - reads a long answer in Node by the module node:http, since Node's fetch takes 12 MB of memory itself
// and holds each piece of an answer twice.

/** The part of a fetch's Response that the client reads. */
export interface Head {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: ReadableStream<Uint8Array> | null;
}

export interface Asked {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly signal: AbortSignal;
  readonly body?: BodyInit;
}

/** The part of an IncomingMessage, the answer of node:http, that is read here. */
interface Incoming extends AsyncIterable<Uint8Array> {
  readonly statusCode?: number;
  readonly headers: Record<string, string | string[] | undefined>;
  destroy(): void;
}

interface Outgoing {
  on(event: "error", heard: (why: Error) => void): Outgoing;
  end(body?: unknown): void;
}

interface Library {
  request(url: string, asked: object, heard: (answer: Incoming) => void): Outgoing;
}

const COLLECTED = 4 << 20; // bytes of pieces that were read, after which collect() is called
const ARRAYS = 200; // arrays of 1000 numbers, which together fill the young generation of Node's heap

/** Makes Node free the pieces that were read. It frees them when it collects the young generation of its heap,
 * which the few objects of the pieces do not fill, so that Node would keep 64 MB of them: these arrays fill it. */
function collect(): void {
  for (let i = 0; i < ARRAYS; i += 1) new Array<number>(1000).fill(i);
}

function streamOf(answer: Incoming): ReadableStream<Uint8Array> {
  const pieces = answer[Symbol.asyncIterator]();
  let left = 0;
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done === true) return controller.close();
      left += value.length;
      if (left > COLLECTED) {
        collect();
        left = 0;
      }
      controller.enqueue(value);
    },
    cancel: () => answer.destroy(),
  }, { highWaterMark: 0 });
}

/** Returns whether this program runs in Node. */
export function isNode(): boolean {
  const { process } = globalThis as { process?: { versions?: { node?: string } } };
  return process?.versions?.node !== undefined;
}

/** Sends the request and returns the answer as fetch does. It returns null for a redirection: fetch, which
 * follows it, is to send the request again. */
export async function ask(url: string, asked: Asked): Promise<Head | null> {
  const name = url.startsWith("https:") ? "node:https" : "node:http"; // in a variable, so that bundlers leave it out
  const library = (await import(name)) as Library;
  const { body, ...options } = asked;
  const answer = await new Promise<Incoming>((resolve, reject) => {
    const fail = (why: Error): void => reject(new TypeError("the request failed", { cause: why }));
    library.request(url, options, resolve).on("error", fail).end(body);
  });
  const status = answer.statusCode ?? 0;
  if (status > 300 && status < 400 && status !== 304) {
    answer.destroy();
    return null;
  }
  const get = (header: string): string | null => answer.headers[header.toLowerCase()]?.toString() ?? null;
  return { status, headers: { get }, body: streamOf(answer) };
}
