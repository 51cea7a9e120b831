// SPDX-License-Identifier: Apache-2.0
// local.mjs INDEX - local() and localFetch() in Node where something is wrong; INDEX is the package's index.js.
// Prints the sentences of what fails, as JSON.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { PosencError, local, localFetch, readSafetensors } = await import(pathToFileURL(process.argv[2]).href);
const given = { dim: 8, pos: { stop: 4 } };
const tests = {
  async "a client has the numbers of the fetch"() {
    const answer = await localFetch()("/v1/rope?pos=0:4&dim=8&format=safetensors");
    const { tensors } = readSafetensors(new Uint8Array(await answer.arrayBuffer()));
    assert.deepEqual((await local().rope(given)).tensors, tensors);
    await assert.rejects(local().rope({ dim: 7, pos: 1 }), { name: "RequestError", status: 400 });
  },
  async "a Request is asked with its method, headers and body"() {
    const asked = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ dim: 8, pos: [3] }) };
    const one = await (await localFetch()(new Request("http://any/v1/rope", asked))).text();
    assert.equal(one, await (await localFetch()("http://any/v1/rope", asked)).text());
    assert.equal(JSON.parse(one).encoding, "rope");
  },
  async "a module that cannot be had or run is told with what would be right"() {
    const folders = { "/none/": /\/none\/posenc-small.wasm cannot be read: it has status 404; { modules } must be the URL/,
      "/other/": /\/other\/posenc-small.wasm cannot be run here: it needs WebAssembly with SIMD/ };
    await serve(async (at) => {
      for (const [folder, said] of Object.entries(folders)) {
        for (const _ of [1, 2]) { // the second time too: what failed is not kept
          await assert.rejects(local({ modules: at + folder }).rope(given), (why) => {
            assert.ok(why instanceof PosencError);
            assert.match(why.message, said);
            return true;
          });
        }
      }
    });
    await assert.rejects(local({ modules: "file:///nowhere/" }).rope(given), /cannot be read: ENOENT/);
  },
  async "a worker computes the same, and leaves this thread free"() {
    const [here, there] = [local(), local({ worker: true })];
    assert.deepEqual((await there.rope(given)).tensors, (await here.rope(given)).tensors);
    await assert.rejects(there.rope({ dim: 7, pos: 1 }), { name: "RequestError", status: 400 });
    let turns = 0;
    const timer = setInterval(() => { turns += 1; }, 1);
    const large = await there.alibi({ heads: 1, len: 6000 });
    clearInterval(timer);
    assert.ok(turns > 5, `${turns} turns`);
    assert.deepEqual(large.get("bias").shape, [1, 6000, 6000]);
    const found = await Promise.all([1, 2, 3].map((pos) => there.rope({ dim: 8, pos })));
    for (const [i, one] of found.entries()) {
      assert.deepEqual(one.tensors, (await here.rope({ dim: 8, pos: i + 1 })).tensors);
    }
  },
  async "a signal ends the waiting for a worker"() {
    const computed = local({ worker: true }).alibi({ heads: 1, len: 6000 }, { signal: AbortSignal.timeout(30) });
    await assert.rejects(computed, { name: "TimeoutError" });
  },
  async "a worker that cannot run is told"() {
    for (const _ of [1, 2]) { // the second time too: what failed is not kept
      await assert.rejects(local({ modules: "file:///nowhere/", worker: true }).rope(given),
        /the worker file:\/\/\/nowhere\/worker.js does not run: .*Cannot find module/);
    }
  },
  async "a program ends though its worker waits for more, and a thread of Node has a library of its own"() {
    const index = pathToFileURL(process.argv[2]).href;
    const program = `import { Worker, isMainThread, parentPort } from "node:worker_threads";
      import { local } from ${JSON.stringify(index)};
      const options = { worker: isMainThread };
      const shape = (await local(options).rope({ dim: 8, pos: 3 })).get("cos").shape;
      if (isMainThread) new Worker(new URL(import.meta.url)).on("message", (its) => console.log(String([...shape, ...its])));
      else parentPort.postMessage(shape);`;
    const folder = mkdtempSync(join(tmpdir(), "posenc-"));
    writeFileSync(join(folder, "program.mjs"), program);
    const done = spawnSync(process.execPath, [join(folder, "program.mjs")], { encoding: "utf8", timeout: 9000 });
    rmSync(folder, { recursive: true });
    assert.deepEqual([done.status, done.stdout.trim(), done.stderr], [0, "1,4,1,4", ""]);
  },
  async "a signal ends a call whose module does not come"() {
    await serve(async (at) => {
      await assert.rejects(local({ modules: `${at}/silent/` }).rope(given, { signal: AbortSignal.timeout(50) }),
        { name: "TimeoutError" });
    });
  },
};

/** A server that has no file below /none, no module below /other, and says nothing below /silent. */
async function serve(use) {
  const server = createServer((request, response) => {
    if (request.url.startsWith("/none")) response.writeHead(404).end();
    if (request.url.startsWith("/other")) response.end("no module");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await use(`http://127.0.0.1:${server.address().port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const wrong = [];
for (const [name, check] of Object.entries(tests)) {
  const late = new Promise((_, reject) => setTimeout(() => reject(new Error("no end in 10 s")), 10000).unref());
  await Promise.race([check(), late]).catch((why) => wrong.push(`${name}: ${why}`));
}
console.log(JSON.stringify({ wrong, count: Object.keys(tests).length }));
process.exit();
