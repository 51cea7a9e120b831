// SPDX-License-Identifier: Apache-2.0
// node.ts - a long answer in Node, read by node:http. Node's fetch takes 12 MB itself and has each piece
// twice.

/** What is read of an answer. */
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

/** An answer of node:http. */
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

const COLLECTED = 4 << 20; // bytes of pieces that are left to be freed
const ARRAYS = 200; // of which a thousand numbers fill the young generation of Node's heap

/** Pieces are freed when the young generation is collected, which their few objects do not fill: Node would
 * keep 64 MB of them. Makes the garbage that it waits for. */
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

/** Whether this is Node, whose own fetch the calls have. */
export function isNode(): boolean {
  const { process } = globalThis as { process?: { versions?: { node?: string } } };
  return process?.versions?.node !== undefined;
}

/** Asks as fetch does, but for a redirection, of which fetch makes a second request: null. */
export async function ask(url: string, asked: Asked): Promise<Head | null> {
  const name = url.startsWith("https:") ? "node:https" : "node:http"; // of no bundle
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
