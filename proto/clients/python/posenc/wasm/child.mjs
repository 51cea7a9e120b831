// SPDX-License-Identifier: Apache-2.0
// child.mjs MODULE - what posenc.local runs by Node: frames on the standard input are requests to the
// WebAssembly module, frames on the standard output its answers, of which the first says that it is loaded.
// A frame is the length of its head and that of its content, 32 bits each in little endian, the head as JSON,
// and the content. The module computes in a thread of its own, so that the program ends as soon as its input
// does, whatever is being computed. An answer for which its memory, which cannot shrink, has grown much is the
// last one: so its head says, and another child goes on.
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
import { pathToFileURL } from "node:url";
import { Module } from "./module.js";

const KEPT_MAX = 256 << 20; // bytes of memory that the module may have after an answer that is not the last
const nothing = () => new Uint8Array(0);

/** Sends a frame, to whom asked. */
function send(head, content) {
  const text = Buffer.from(JSON.stringify(head));
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32LE(text.length, 0);
  lengths.writeUInt32LE(content.length, 4);
  process.stdout.write(Buffer.concat([lengths, text]));
  process.stdout.write(content);
}

/** Calls `ask` with every frame of the standard input. */
function receive(ask) {
  let [pieces, have, need] = [[], 0, 8];
  process.stdin.on("data", (piece) => {
    pieces.push(piece);
    have += piece.length;
    while (have >= need) {
      const all = Buffer.concat(pieces);
      const head = 8 + all.readUInt32LE(0);
      const end = head + all.readUInt32LE(4);
      pieces = [all];
      if (have < (need = end)) return;
      ask(JSON.parse(all.toString("utf8", 8, head)), new Uint8Array(all.subarray(head, end)));
      [pieces, have, need] = [[all.subarray(end)], have - end, 8];
    }
  });
  process.stdin.on("end", () => process.exit());
}

/** The thread that computes. */
function compute() {
  let module;
  const answer = async (given) => {
    try {
      module ??= await Module.load(pathToFileURL(workerData));
      const { status, headers, body } = given === undefined ? { status: 0, headers: {}, body: nothing() } : module.ask(given);
      const last = module.memorySize() > KEPT_MAX;
      parentPort.postMessage({ head: { status, headers, last }, content: body }, [body.buffer]);
    } catch (why) { // after a trap the module's stack is not what it was
      module = undefined;
      parentPort.postMessage({ head: { error: why.message }, content: nothing() });
    }
  };
  parentPort.on("message", answer);
  void answer();
}

if (isMainThread) {
  const worker = new Worker(new URL(import.meta.url), { workerData: process.argv[2] });
  worker.on("message", ({ head, content }) => send(head, content));
  receive((head, content) => worker.postMessage({ ...head, accept: head.accept ?? undefined,
    type: head.type ?? undefined, body: head.type === null ? undefined : content }, [content.buffer]));
} else {
  compute();
}
