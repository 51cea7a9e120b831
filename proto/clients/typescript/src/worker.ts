// SPDX-License-Identifier: Apache-2.0
// worker.ts - the program of a worker that runs the modules, in a page or in Node: each message is a request,
// which another message answers (workers.ts).
import { ask } from "./loaded.js";
import type { Reply, Task } from "./workers.js";

type Post = (reply: Reply, transfer: ArrayBufferLike[]) => void;

async function answer({ id, address, asked }: Task, post: Post): Promise<void> {
  try {
    const answered = await ask(address, asked);
    post({ id, answered }, [answered.body.buffer]);
  } catch (why) {
    post({ id, error: why instanceof Error ? why.message : String(why) }, []);
  }
}

interface NodePort {
  on(event: "message", listener: (task: Task) => void): void;
  readonly postMessage: Post;
}

const page = globalThis as unknown as { readonly postMessage?: Post };
if (page.postMessage !== undefined) {
  addEventListener("message", ({ data }) => void answer(data as Task, (...reply) => page.postMessage?.(...reply)));
} else {
  const name = "node:worker_threads"; // in a variable, so that bundlers leave it out: a page has none
  const { parentPort } = (await import(name)) as { parentPort: NodePort };
  parentPort.on("message", (task) => void answer(task, (...reply) => parentPort.postMessage(...reply)));
}
