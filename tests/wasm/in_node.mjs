// SPDX-License-Identifier: Apache-2.0
// in_node.mjs INDEX QUESTIONS - the comparison in Node: INDEX is the package's index.js, QUESTIONS a
// file of JSON; a worker is asked each tenth. Prints the answers that differ, as JSON; then whether hostile questions, asked twice,
// leave each module's memory as it is after the first time.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { compare } from "./compare.mjs";

const STEP = 10; // of the questions that a worker is asked
const [index, file] = process.argv.slice(2);
const posenc = await import(pathToFileURL(index).href);
const { questions, hostile } = JSON.parse(readFileSync(file, "utf8"));
const modules = new URL("./", pathToFileURL(index));
const few = questions.filter((_, i) => i % STEP === 0);
const wrong = [...await compare(posenc, questions, { modules }),
  ...await compare(posenc, few, { modules, worker: true })];

const { Module } = await import(new URL("module.js", modules).href);
const { MODULES } = await import(new URL("modules.js", modules).href);
const traps = [];
let grew = 0;

/** Asks a module the hostile questions; the bytes of its memory afterwards. */
function memoryAfter(file, module) {
  for (const { path, query, type, body } of hostile) {
    try {
      const answer = module.ask({ method: type ? "POST" : "GET", path, query, type,
        body: type ? Uint8Array.from(Buffer.from(body, "base64")) : undefined });
      if (answer.status >= 500 && answer.status !== 503) traps.push(`${file}: ${path}: status ${answer.status}`);
    } catch (why) {
      traps.push(`${file}: ${path}?${query}: ${why}`);
    }
  }
  return module.memorySize();
}

for (const file of ["posenc.wasm", ...MODULES.map((one) => one.file)]) {
  const module = await Module.load(new URL(file, modules));
  const first = memoryAfter(file, module);
  grew += memoryAfter(file, module) - first;
}
console.log(JSON.stringify({ wrong, traps, grew }));
