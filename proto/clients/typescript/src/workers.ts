// SPDX-License-Identifier: Apache-2.0
// workers.ts - the modules in a worker, so that a long computation leaves this thread free: a Worker of a page,
// or a thread of Node, which does not keep the process alive while nothing is computed.
import { PosencError } from "./errors.js";
import type { Answered, Asked } from "./module.js";

/** A request to the worker. */
export interface Task {
  readonly id: number;
  readonly address: string;
  readonly asked: Asked;
}

/** What the worker answers to the request of that id. */
export type Reply = { readonly id: number } & ({ readonly answered: Answered } | { readonly error: string });

interface NodeWorker {
  on(event: "message", listener: (reply: Reply) => void): void;
  on(event: "error", listener: (why: Error) => void): void;
  postMessage(task: Task): void;
  ref(): void;
  unref(): void;
  terminate(): unknown;
}

interface Waiting {
  resolve(answered: Answered): void;
  reject(why: Error): void;
}

/** A worker, and the requests that wait for it. */
class Computing {
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;
  private worker: Pick<NodeWorker, "postMessage" | "terminate"> & Partial<NodeWorker> | undefined;

  constructor(private readonly program: URL, private readonly ended: () => void) {}

  async start(): Promise<this> {
    if (typeof Worker !== "undefined") {
      const worker = new Worker(this.program, { type: "module" });
      worker.addEventListener("message", ({ data }) => this.settle(data as Reply));
      worker.addEventListener("error", ({ message }) => this.fail(message));
      this.worker = worker;
      return this;
    }
    const name = "node:worker_threads"; // in a variable, so that bundlers leave it out: a page has none
    const threads = (await import(name)) as { Worker: new (program: URL) => NodeWorker };
    const worker = new threads.Worker(this.program);
    worker.on("message", (reply) => this.settle(reply));
    worker.on("error", ({ message }) => this.fail(message));
    worker.unref();
    this.worker = worker;
    return this;
  }

  ask(address: string, asked: Asked): Promise<Answered> {
    return new Promise((resolve, reject) => {
      this.last += 1;
      this.waiting.set(this.last, { resolve, reject });
      this.worker?.ref?.();
      this.worker?.postMessage({ id: this.last, address, asked });
    });
  }

  private settle(reply: Reply): void {
    const found = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    if (this.waiting.size === 0) this.worker?.unref?.();
    if ("answered" in reply) found?.resolve(reply.answered);
    else found?.reject(new PosencError(reply.error));
  }

  private fail(said: string | undefined): void {
    this.ended();
    this.worker?.terminate(); // a page's goes on after an error
    const why = new PosencError(`the worker ${this.program.href} does not run${said ? `: ${said}` : ""}; it must be ` +
      "beside the modules, and of the page's origin");
    for (const { reject } of this.waiting.values()) reject(why);
    this.waiting.clear();
  }
}

const workers = new Map<string, Promise<Computing>>();

/** The answer of the module of that address, by the worker of its folder. */
export async function ask(address: string, asked: Asked): Promise<Answered> {
  const program = new URL("worker.js", address);
  let found = workers.get(program.href);
  if (found === undefined) {
    const forget = (): unknown => workers.delete(program.href);
    found = new Computing(program, forget).start();
    found.catch(forget);
    workers.set(program.href, found);
  }
  return (await found).ask(address, asked);
}
