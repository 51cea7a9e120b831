// SPDX-License-Identifier: Apache-2.0
// transport.ts - requests by fetch: deadlines, keys, and a request that is sent again when the service
// is overloaded and says when.
import { PosencError, RequestError, ServiceError, errorOf } from "./errors.js";

const LONGEST_WAIT = 30; // seconds that Retry-After may ask for

export interface Options {
  /** http://host:port of the service. */
  readonly url?: string;
  /** A key, where the service asks for one. */
  readonly key?: string;
  /** Milliseconds that one attempt may take. */
  readonly timeout?: number;
  /** How often a request is sent again when the service is overloaded. */
  readonly retries?: number;
  /** Another fetch than this platform's. */
  readonly fetch?: typeof fetch;
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

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly content: Content;
}

export class Transport {
  private readonly url: string;
  private readonly headers: Record<string, string>;
  private readonly timeout: number;
  private readonly retries: number;
  private readonly fetch: typeof fetch;

  constructor(options: Options) {
    this.url = (options.url ?? "http://localhost:8080").replace(/\/$/, "");
    this.headers = options.key ? { Authorization: `Bearer ${options.key}` } : {};
    this.timeout = options.timeout ?? 60000;
    this.retries = options.retries ?? 3;
    this.fetch = options.fetch ?? ((...request) => fetch(...request));
  }

  private async once(target: string, type: string, body?: Uint8Array | string): Promise<Reply> {
    try {
      const answer = await this.fetch(this.url + target, {
        method: body === undefined ? "GET" : "POST",
        headers: body === undefined ? this.headers : { ...this.headers, "Content-Type": type },
        signal: AbortSignal.timeout(this.timeout),
        ...(body === undefined ? {} : { body: body as BodyInit }),
      });
      const content = new Content(new Uint8Array(await answer.arrayBuffer())); // within the deadline
      return { status: answer.status, headers: answer.headers, content };
    } catch (why) {
      throw new ServiceError(`${this.url} does not answer: ${String(why)}`, why);
    }
  }

  /** The answer of status 200; else RequestError, or ServiceError where none came in time. */
  async ask(target: string, type = "", body?: Uint8Array | string): Promise<Content> {
    for (let left = this.retries; left >= 0; left -= 1) {
      const answer = await this.once(target, type, body);
      if ((answer.status !== 429 && answer.status !== 503) || left === 0) return checked(answer);
      const wait = Number(answer.headers.get("Retry-After") ?? "1");
      const seconds = Math.min(LONGEST_WAIT, Math.max(0, Number.isNaN(wait) ? 1 : wait));
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    }
    throw new PosencError("retries must not be negative");
  }
}

function checked({ status, headers, content }: Reply): Content {
  if (status === 200) return content;
  if (headers.get("Content-Type")?.startsWith("application/problem+json")) {
    throw errorOf(status, content.json() as object);
  }
  throw new RequestError(status, `status ${status}`, []);
}
