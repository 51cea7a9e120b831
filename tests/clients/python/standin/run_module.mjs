// SPDX-License-Identifier: Apache-2.0
// run_module.mjs - a module as wasmtime.py asks for it: lines of JSON in and out.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

let exports;
const bytes = () => new Uint8Array(exports.memory.buffer);
const calls = {
  imports: (path) => WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(path)))
    .map(({ module, name }) => [module, name]),
  load(path, values) {
    const module = new WebAssembly.Module(readFileSync(path));
    const imports = {};
    WebAssembly.Module.imports(module).forEach(({ module: from, name }, i) => {
      (imports[from] ??= {})[name] = () => values[i] ?? undefined;
    });
    exports = new WebAssembly.Instance(module, imports).exports;
    return Object.keys(exports);
  },
  call: (name, given) => exports[name](...given) ?? null,
  read: (start, stop) => Buffer.from(bytes().slice(start, stop ?? undefined)).toString("base64"),
  write(start, content) {
    const given = Buffer.from(content, "base64");
    if (start + given.length > bytes().length) return false;
    bytes().set(given, start);
    return true;
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...given] = JSON.parse(line);
  let answer;
  try {
    answer = { value: calls[name](...given) };
  } catch (why) {
    answer = { trap: String(why) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
