// SPDX-License-Identifier: Apache-2.0
// transport.ts - requests by fetch: deadlines, keys, and a request that is sent again where that helps.
import { PosencError, RequestError, ServiceError, errorOf, reasonOf } from "./errors.js";
import { ask, isNode } from "./node.js";
import type { Asked, Head } from "./node.js";
import { isDisconnected, isPassing, sleep, waitOf } from "./retry.js";
import { Tags } from "./tags.js";

const SHOWN = 200; // letters of an answer that is no posencd's
const LONGEST_TIMEOUT = 2 ** 31 - 1; // milliseconds that a timer can wait; a longer one ends at once

export interface Options {
  /** http://host:port of the service. */
  readonly url?: string;
  /** A key, where the service asks for one. */
  readonly key?: string;
  /** Milliseconds that one attempt may take; of a stream, until its first byte. */
  readonly timeout?: number;
  /** How often a request is sent again when the service is overloaded or starts again. */
  readonly retries?: number;
  /** Bytes of answers that are kept: the service is asked whether they are still right. */
  readonly cache?: number;
  /** Another fetch than this platform's, which in Node is its fetch and, for streams, node:http. */
  readonly fetch?: typeof fetch;
}

/** What a call may have besides its parameters. */
export interface CallOptions {
  /** Ends the call, which rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** A request; its target is a path and a query. */
export interface Sent {
  readonly target: string;
  readonly type?: string;
  readonly body?: Uint8Array | string;
}

/** An answer of status 200. */
export class Content {
  constructor(readonly bytes: Uint8Array) {}

  text(): string {
    return new TextDecoder().decode(this.bytes);
  }

  json(): unknown {
    try {
      return JSON.parse(this.text());
    } catch (why) {
      throw new ServiceError("the answer is no JSON", why);
    }
  }
}

/** The deadline of an attempt and the signal of a call as one signal. */
class Limit {
  private readonly controller = new AbortController();
  private readonly timer: ReturnType<typeof setTimeout>;
  private readonly stop = (): void => this.controller.abort(this.outer?.reason);

  constructor(timeout: number, private readonly outer?: AbortSignal) {
    this.timer = setTimeout(() => {
      this.controller.abort(new DOMException(`timed out after ${timeout} ms`, "TimeoutError"));
    }, timeout);
    if (outer?.aborted) this.stop();
    else outer?.addEventListener("abort", this.stop, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Closes the connection. Of a 304, which has the length of what it stands for and no body, Node's fetch
   * would keep it, and the process alive with it. */
  drop(): void {
    this.controller.abort();
  }

  /** Ends the deadline; the call's signal still counts where something is left to read. */
  clear(isRead: boolean): void {
    clearTimeout(this.timer);
    if (isRead) this.outer?.removeEventListener("abort", this.stop);
  }

  /** The bytes of a stream, for as long as the call's signal counts. */
  watched(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = stream.getReader();
    const end = (): void => this.clear(true);
    return new ReadableStream({
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          controller.close();
        } catch (why) {
          controller.error(why);
        }
        end();
      },
      cancel(why) {
        end();
        return reader.cancel(why);
      },
    }, { highWaterMark: 0 });
  }
}

export class Transport {
  private readonly url: string;
  private readonly headers: Record<string, string>;
  private readonly timeout: number;
  private readonly retries: number;
  private readonly tags: Tags;
  private readonly fetch: typeof fetch;
  private readonly isOwn: boolean; // the fetch is the caller's

  constructor(options: Options) {
    this.url = (options.url ?? "http://localhost:8080").replace(/\/$/, "");
    this.headers = { "Accept-Encoding": "identity" }; // a browser has its own
    if (options.key) this.headers["Authorization"] = `Bearer ${options.key}`;
    this.timeout = Math.min(options.timeout ?? 60000, LONGEST_TIMEOUT);
    this.retries = options.retries ?? 3;
    this.tags = new Tags(options.cache ?? 0);
    this.isOwn = options.fetch !== undefined;
    this.fetch = options.fetch ?? ((...request) => fetch(...request));
  }

  /** One attempt: the answer, read as `read` does where its status is 200, or a 304 that was asked for. */
  private async once<R>(
    sent: Sent,
    more: Record<string, string>,
    outer: AbortSignal | undefined,
    read: (answer: Head, limit: Limit) => Promise<R>,
    isStream: boolean,
  ): Promise<{ answer: Head; found?: R; problem?: Content }> {
    const limit = new Limit(this.timeout, outer);
    let isRead = !isStream;
    try {
      const { body, type } = sent;
      const asked: Asked = {
        method: body === undefined ? "GET" : "POST",
        headers: { ...this.headers, ...more, ...(type === undefined ? {} : { "Content-Type": type }) },
        signal: limit.signal,
        ...(body === undefined ? {} : { body: body as BodyInit }),
      };
      const url = this.url + sent.target;
      const piped = isStream && !this.isOwn && isNode() ? await ask(url, asked) : null;
      const answer = piped ?? await this.fetch(url, asked);
      if (answer.status === 200) return { answer, found: await read(answer, limit) };
      if (answer.status === 304 && "If-None-Match" in more) {
        const found = await read(answer, limit);
        limit.drop();
        return { answer, found };
      }
      isRead = true;
      const problem = new Content(await bytesOf(answer));
      if (answer.status === 304) limit.drop();
      return { answer, problem };
    } catch (why) {
      isRead = true;
      throw limit.signal.aborted ? limit.signal.reason : why;
    } finally {
      limit.clear(isRead);
    }
  }

  private async attempts<R>(
    sent: Sent,
    more: Record<string, string>,
    outer: AbortSignal | undefined,
    read: (answer: Head, limit: Limit) => Promise<R>,
    isStream = false,
  ): Promise<{ answer: Head; found: R }> {
    for (let tried = 0; ; tried += 1) {
      const isLast = tried >= this.retries;
      let asked: string | null = null;
      try {
        const { answer, found, problem } = await this.once(sent, more, outer, read, isStream);
        if (problem === undefined) return { answer, found: found as R };
        if (isLast || !isPassing(answer.status)) throw this.refusal(answer, problem);
        asked = answer.headers.get("Retry-After");
      } catch (why) {
        if (why instanceof PosencError) throw why;
        if (outer?.aborted) throw outer.reason;
        if (isLast || !isDisconnected(why)) {
          throw new ServiceError(`${this.url} does not answer: ${reasonOf(why).text}`, why);
        }
      }
      await sleep(waitOf(tried, asked), outer);
    }
  }

  private refusal({ status, headers }: Head, problem: Content): RequestError {
    const type = headers.get("Content-Type") ?? "";
    const said = type.startsWith("application/problem+json") ? problem.json() : null;
    if (typeof said === "object" && said !== null) return errorOf(status, said);
    const words = type.startsWith("text/plain") ? problem.text().trim().replaceAll(/\s+/g, " ") : "";
    const shown = words.length > SHOWN ? `${words.slice(0, SHOWN)}...` : words;
    return new RequestError(status, `${this.url} answers with status ${status}${
      shown ? `: ${shown}` : " and no description of the problem"}`, []);
  }

  /** The answer of status 200; else RequestError, or ServiceError where none came in time. */
  async ask(sent: Sent, { signal }: CallOptions = {}): Promise<Content> {
    const isGet = sent.body === undefined;
    const { headers, bytes } = isGet
      ? this.tags.condition(sent.target)
      : { headers: {}, bytes: undefined };
    const { answer, found } = await this.attempts(sent, headers, signal, bytesOf);
    if (answer.status === 304 && bytes !== undefined) return new Content(bytes.slice());
    if (isGet) this.tags.keep(sent.target, answer.headers.get("ETag"), found);
    return new Content(found);
  }

  /** The bytes of an answer of status 200 as they arrive. It is sent again until its head is there. */
  async stream(sent: Sent, { signal }: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    const body = (answer: Head, limit: Limit) =>
      Promise.resolve(limit.watched(answer.body ?? new Blob([]).stream()));
    return (await this.attempts(sent, {}, signal, body, true)).found;
  }
}

/** All bytes of an answer, in one array that is as long as the answer says. A page may see the length of
 * what was compressed, and nothing else of that: the array grows then. */
async function bytesOf(answer: Head): Promise<Uint8Array> {
  if (answer.body === null) return new Uint8Array(0);
  let bytes = new Uint8Array(Number(answer.headers.get("Content-Length") ?? "0"));
  let at = 0;
  for await (const piece of piecesOf(answer.body)) {
    if (at + piece.length > bytes.length) {
      const longer = new Uint8Array(2 * (at + piece.length));
      longer.set(bytes.subarray(0, at));
      bytes = longer;
    }
    bytes.set(piece, at);
    at += piece.length;
  }
  return at === bytes.length ? bytes : bytes.slice(0, at);
}

/** The pieces of a stream, which is cancelled where they are not all read. */
export async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = stream.getReader();
  let isDone = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      isDone = done;
      if (done) return;
      yield value;
    }
  } finally {
    if (!isDone) await reader.cancel().catch(() => undefined);
  }
}
