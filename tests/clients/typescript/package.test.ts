// SPDX-License-Identifier: Apache-2.0
// package.test.ts - the package posenc against the service at $POSENC_URL and against stubs of one.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { getEventListeners } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { Client, RequestError, ServiceError, floats, readSafetensors, writeSafetensors } from "posenc";
import type { Answer, Given, Tensor } from "posenc";

const url = process.env["POSENC_URL"] ?? "";
const client = new Client({ url });

/** Calls an encoding by its name in the catalogue. */
function call(encoding: string, given: Record<string, Given>) {
  const name = encoding.replaceAll(/[-/](.)/g, (_, letter: string) => letter.toUpperCase());
  type Method = (given: object) => Promise<{ tensors: Record<string, Tensor>; facts: object }>;
  const method = (client as unknown as Record<string, Method | undefined>)[name];
  assert.ok(method, name);
  return method.call(client, given);
}

function bytesOf(tensor: Tensor): Uint8Array {
  return new Uint8Array(tensor.data.buffer, tensor.data.byteOffset, tensor.data.byteLength);
}

test("every example of every encoding has the bytes and the facts of the service", async () => {
  const list = (await (await fetch(`${url}/v1/encodings`)).json()) as {
    encodings: { name: string; examples: string[] }[];
  };
  let count = 0;
  for (const { name, examples } of list.encodings) {
    for (const example of examples) {
      const query = example.split("?")[1] ?? "";
      if (query.includes("format=")) continue;
      const pairs = query.split("&").map((pair): [string, string] => {
        const at = pair.indexOf("=");
        return [pair.slice(0, at), decodeURIComponent(pair.slice(at + 1))];
      });
      const found = await call(name, Object.fromEntries(pairs));
      const plain = await (await fetch(`${url}${example}&format=safetensors`)).arrayBuffer();
      const { tensors } = readSafetensors(new Uint8Array(plain));
      assert.deepEqual(found.tensors, tensors, example);
      const json = (await (await fetch(url + example)).json()) as { facts: object };
      assert.deepEqual(found.facts, json.facts, example);
      count += 1;
    }
  }
  assert.ok(count > 177);
});

test("a row, a table, rotated vectors, a picture and the tables of a config", async () => {
  const row = (await client.sinusoidal({ dim: 8, pos: 3 })).get("rows");
  assert.deepEqual(row.shape, [1, 8]);
  const table = await client.rope({ dim: 8, pos: { stop: 4 }, out: ["cos", "sin"] });
  const [cos, sin] = [floats(table.get("cos")), floats(table.get("sin"))];
  cos.forEach((value, i) => assert.ok(Math.abs(value ** 2 + (sin[i] ?? 0) ** 2 - 1) < 1e-6));
  const x = { shape: [2, 4], data: new Float32Array([1, 2, 3, 4, 5, 6, 7, 8]) };
  const turned = (await client.ropeApply({ x, pos: [0, 1] })).get("x");
  assert.deepEqual(turned.shape, [2, 4]);
  const text = (await client.ropeApply({ x: "1,2,3,4;5,6,7,8", pos: [0, 1] })).get("x");
  assert.deepEqual(bytesOf(turned), bytesOf(text));
  const picture = await client.picture("alibi", { heads: 8, len: 64 });
  const plain = await (await fetch(`${url}/v1/alibi?heads=8&len=64&format=png`)).arrayBuffer();
  assert.deepEqual(picture, new Uint8Array(plain));
  const config = { model_type: "llama", head_dim: 8, rope_theta: 500000 };
  const [tables] = await client.tables(config, { pos: "0:16" });
  const same = await client.rope({ dim: 8, base: 500000, pos: "0:16" });
  assert.deepEqual(tables?.get("cos"), same.get("cos"));
});

test("a batch has the answers of its requests in order", async () => {
  const x = { shape: [1, 4], data: new Float64Array([1, 2, 3, 4]) };
  const found = await client.batch([
    { encoding: "rope", parameters: { dim: 8, pos: { stop: 4 }, dtype: "bf16" } },
    { encoding: "rope", parameters: { dim: 7, pos: 0, base: -1 } },
    { encoding: "causal-mask", parameters: { len: 3 } },
    { encoding: "rope/apply", parameters: { x, pos: 3 } },
  ]);
  const alone = [
    await client.rope({ dim: 8, pos: { stop: 4 }, dtype: "bf16" }),
    await client.rope({ dim: 7, pos: 0, base: -1 }).catch((why: unknown) => why),
    await client.causalMask({ len: 3 }),
    await client.ropeApply({ x, pos: 3 }),
  ];
  assert.equal(found.length, alone.length);
  (found as (Answer<string> | RequestError)[]).forEach((one, i) => {
    const same = alone[i];
    if (one instanceof RequestError) {
      assert.ok(same instanceof RequestError);
      assert.equal(one.status, 400);
      assert.deepEqual(one.problems.map(({ detail }) => detail), same.problems.map(({ detail }) => detail));
    } else {
      assert.deepEqual(one.tensors, (same as typeof one).tensors);
      assert.deepEqual(one.facts, (same as typeof one).facts);
    }
  });
  const [first, , mask] = found; // whose types are those of their encodings
  if (!(first instanceof RequestError) && !(mask instanceof RequestError)) {
    assert.deepEqual([first.get("cos").shape, mask.get("mask").shape], [[4, 4], [3, 3]]);
  }
  await assert.rejects(client.batch([{ encoding: "roep", parameters: {} } as never]), RangeError);
  const rows = Array.from({ length: 1001 }, (_, pos) => ({ encoding: "rope", parameters: { dim: 4, pos } }) as const);
  const many = await client.batch(rows);
  const last = await client.rope({ dim: 4, pos: 1000 });
  assert.equal(many.length, 1001);
  assert.deepEqual((many[1000] as typeof last).get("cos"), last.get("cos"));
});

test("f16, bf16 and whole numbers are read exactly", async () => {
  const words = new Uint16Array([0x3c00, 0xc000, 0x0001, 0x7c00, 0xfc00, 0x7e00]);
  const half = { dtype: "f16", shape: [6], data: words } as const;
  assert.deepEqual([...floats(half)], [1, -2, 2 ** -24, Infinity, -Infinity, NaN]);
  const brain = { dtype: "bf16", shape: [2], data: new Uint16Array([0x3f80, 0xc000]) } as const;
  assert.deepEqual([...floats(brain)], [1, -2]);
  const cos = (await client.rope({ dim: 8, pos: 1, out: "cos", dtype: "bf16" })).get("cos");
  assert.ok(cos.data instanceof Uint16Array);
  assert.ok(Math.abs((floats(cos)[0] ?? 0) - Math.cos(1)) < 2 ** -8);
  const mask = (await client.causalMask({ len: 2 })).get("mask");
  assert.deepEqual([...mask.data], [1, 0, 1, 1]);
  const buckets = (await client.t5({ len: 2, out: "buckets" })).get("buckets");
  assert.deepEqual([...buckets.data], [0n, 17n, 1n, 0n]);
});

test("positions that fill no query are posted", async () => {
  const pos = Array.from({ length: 9000 }, (_, i) => (i * 7919) % 1048576);
  const table = await client.rope({ dim: 4, pos, pairing: "half", out: ["cos", "sin"] });
  assert.deepEqual(table.get("cos").shape, [9000, 2]);
  for (const data of [new Float64Array(36000).fill(0.1), new Float32Array(36000).fill(0.1)]) {
    const x = { shape: [9000, 4], data };
    const turned = (await client.ropeApply({ x, pos })).get("x");
    const few = { shape: [1, 4], data: data.slice(0, 4) };
    const first = (await client.ropeApply({ x: few, pos: pos[1] ?? 0 })).get("x");
    assert.deepEqual(turned.data.slice(4, 8), first.data);
  }
  const mask = Array.from({ length: 3000 }, (_, i) => i % 2);
  const biases = await client.alibi({ heads: 2, attention_mask: [mask], out: "padded_bias" });
  assert.deepEqual(biases.get("padded_bias").shape, [1, 2, 1, 3000]);
});

test("all that is wrong is said with what would be right", async () => {
  await assert.rejects(client.rope({ dim: 7, base: -1, pos: 1 }), (why: unknown) => {
    assert.ok(why instanceof RequestError);
    assert.equal(why.status, 400);
    assert.deepEqual(why.problems.map((one) => one.parameter).sort(), ["base", "dim"]);
    assert.match(why.message, /must be an even number, 2\.\.65536; got 7/);
    return true;
  });
  const answer = await client.rope({ dim: 8, pos: 1 });
  assert.throws(() => answer.get("inv_freq"), /it has cos, sin/);
  await assert.rejects(client.picture("roep" as never, {} as never), /there is no encoding roep/);
  const short = { shape: [3], data: new Float32Array(2) };
  await assert.rejects(client.ropeApply({ x: short, pos: 0 }), /its shape says 3/);
  assert.throws(() => readSafetensors(new Uint8Array(4)), ServiceError);
  const whole = writeSafetensors({ a: { shape: [2], data: new Float32Array(2) } });
  assert.throws(() => readSafetensors(whole.subarray(0, whole.length - 4)), ServiceError);
  const one = new Uint8Array(whole.length + 1);
  one.set(whole, 1); // from an odd byte on, where no view of floats can begin
  assert.deepEqual(readSafetensors(one.subarray(1)), readSafetensors(whole));
  const words = { shape: [1], data: new Uint16Array(1), dtype: "f32" } as const;
  assert.throws(() => writeSafetensors({ words }), /are no f32/);
});

test("models, a config, a verdict and a figure", async () => {
  assert.equal((await client.model("meta-llama/Meta-Llama-3.1-8B")).id, "llama-3.1-8b");
  assert.ok((await client.models()).length > 50);
  assert.ok((await client.encodings()).length > 176);
  const cos = (await client.rope({ dim: 8, pos: "0:16", out: "cos" })).get("cos");
  const sent = { cos: { shape: cos.shape, data: cos.data as Float32Array } };
  const verdict = await client.verify(sent, { encoding: "rope", dim: 8, pos: "0:16" });
  assert.equal(verdict["verdict"], "exact");
  const text = { model_type: "llama", head_dim: 8, rope_theta: 10000 };
  const config = JSON.stringify({ model_type: "llava", image_grid_pinpoints: Array(3000).fill(7), text_config: text });
  const beside = await client.verify(sent, { encoding: "rope", config, pos: "0:16" });
  assert.equal(beside["verdict"], "exact");
  assert.deepEqual(readSafetensors(writeSafetensors(sent)).tensors["cos"], cos);
  assert.match(await client.figure("rope", { dim: 8, pos: "0:4" }), /^<svg/);
});

test("a million positions in any order, of any kind of array, are one request", async () => {
  const pos = Array.from({ length: 1000000 }, (_, i) => (i * 7919 * 7919) % 2147483647 - 1000000000);
  const first = await client.rope({ dim: 2, pos, out: "cos" });
  assert.deepEqual(first.get("cos").shape, [1000000, 1]);
  for (const same of [BigInt64Array.from(pos, BigInt), Float64Array.from(pos), Int32Array.from(pos)]) {
    assert.deepEqual((await client.rope({ dim: 2, pos: same, out: "cos" })).get("cos"), first.get("cos"));
  }
  const [batched] = await client.batch([{ encoding: "rope", parameters: { dim: 2, pos, out: "cos" } }]);
  assert.ok(!(batched instanceof RequestError));
  assert.deepEqual(batched.get("cos"), first.get("cos"));
  const one = await client.rope({ dim: 2, pos: pos.at(-1) ?? 0, out: "cos" });
  assert.deepEqual(one.get("cos").data[0], first.get("cos").data[999999]);
  const fractions = pos.slice(0, 300).map((each) => each / 8);
  const halves = (await client.rope({ dim: 2, pos: fractions, out: "cos" })).get("cos");
  const last = await client.rope({ dim: 2, pos: fractions.at(-1) ?? 0, out: "cos" });
  assert.deepEqual(last.get("cos").data[0], halves.data[299]);
  const few = await client.rope({ dim: 2, pos: new Int32Array([5, 9]), out: "cos" });
  assert.deepEqual(few.get("cos"), (await client.rope({ dim: 2, pos: [5, 9], out: "cos" })).get("cos"));
  const ragged = [Array.from(fractions), [1]];
  await assert.rejects(client.alibi({ heads: 2, attention_mask: ragged }), /row 1 has 1 numbers, not 300/);
});

test("an answer is streamed as a file, and read into arrays that are there", async () => {
  const given = { dim: 8, pos: { stop: 100000 } } as const;
  const whole = new Uint8Array(await (await fetch(`${url}/v1/rope?dim=8&pos=0:100000&format=safetensors`)).arrayBuffer());
  const stream = await client.stream("rope", given);
  assert.deepEqual(new Uint8Array(await new Response(stream).arrayBuffer()), whole);
  const csv = await client.stream("rope", { dim: 8, pos: 3, out: "cos" }, { format: "csv" });
  const plain = await (await fetch(`${url}/v1/rope?dim=8&pos=3&out=cos&format=csv`)).text();
  assert.equal(await new Response(csv).text(), plain);
  const { tensors } = readSafetensors(whole);
  const [cos, sin] = [new Float32Array(400000), new Float32Array(400000)];
  const filled = await client.fill("rope", given, { sin, cos });
  assert.equal(filled.get("cos").data, cos);
  assert.deepEqual(filled.tensors, tensors);
  assert.equal(filled.facts["effective_base"], 10000);
  await assert.rejects(client.fill("rope", given, { cos }), /has the tensors cos, sin; there are arrays for cos/);
  await assert.rejects(client.fill("rope", given, { cos, sin: new Float32Array(4) }), /the array has 16 bytes/);
  await assert.rejects(client.fill("rope", given, { cos, sin: new Int32Array(400000) }), /of Int32Array/);
  await assert.rejects(client.stream("rope", { dim: 7 }), { status: 400, kind: "/problems/invalid-parameter" });
});

test("a stream follows a redirection, is asked for again, and ends with an error where it is cut", async () => {
  const plain = await (await fetch(`${url}/v1/rope?dim=8&pos=3&out=cos&format=csv`)).text();
  const given = { dim: 8, pos: 3, out: "cos" } as const;
  await stub((_, request, response) => void response.writeHead(307, { Location: url + request.url }).end(), async (at) => {
    const stream = await new Client({ url: at }).stream("rope", given, { format: "csv" });
    assert.equal(await new Response(stream).text(), plain);
  });
  await stub((count, _, response) => count === 1 ? void response.socket?.resetAndDestroy() : void response.end("b"), async (at) => {
    assert.equal(await new Response(await new Client({ url: at }).stream("rope", given)).text(), "b");
  });
  await stub((_, request, response) => {
    response.writeHead(200, { "Content-Length": "9" }).write("begun");
    setTimeout(() => response.socket?.destroy(), 20);
  }, async (at) => {
    await assert.rejects(new Response(await new Client({ url: at }).stream("rope", given)).text());
  });
  const asked: string[] = [];
  const own: typeof fetch = (target, how) => fetch((asked.push(String(target)), target), how);
  await new Response(await new Client({ url, fetch: own }).stream("rope", given)).text();
  assert.equal(asked.length, 1);
});

test("a long answer is stored as a file in little memory", () => {
  const len = process.env["FULL"] ? 16384 : 9000; // 1 GiB, or 324 MB
  const folder = mkdtempSync(join(tmpdir(), "posenc-"));
  try {
    const program = `import { readFileSync } from "node:fs";
      import { writeFile } from "node:fs/promises";
      import { Client } from ${JSON.stringify(import.meta.resolve("posenc"))};
      const stream = await new Client({ url: process.argv[1] }).stream("alibi", { heads: 1, len: ${len} });
      await writeFile(process.argv[2], stream);
      console.log(/VmHWM:\\s+(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]);`;
    const path = join(folder, "alibi.safetensors");
    const done = spawnSync(process.execPath, ["--input-type=module", "-e", program, url, path], { encoding: "utf8" });
    assert.equal(done.stderr, "");
    assert.ok(Number(done.stdout) < 100000, `${done.stdout.trim()} kB`);
    const begin = new Uint8Array(8);
    const file = openSync(path, "r");
    readSync(file, begin);
    closeSync(file);
    const head = Number(new DataView(begin.buffer).getBigUint64(0, true));
    assert.equal(statSync(path).size, 8 + head + len * len * 4);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the tables of a model are those of its name", async () => {
  const [table, scale] = await client.tables("llama-3.1-8b", { pos: { stop: 16 } });
  const same = await client.rope({ model: "llama-3.1-8b", pos: { stop: 16 } });
  assert.deepEqual(table?.get("cos"), same.get("cos"));
  assert.deepEqual(scale?.get("scale").shape, []);
  await assert.rejects(client.tables("llama-9"), { status: 404, kind: "/problems/not-found" });
  const folder = mkdtempSync(join(tmpdir(), "posenc-"));
  try {
    const config = { model_type: "llama", head_dim: 8, rope_theta: 500000 };
    const [expected] = await client.tables(config, { pos: "0:16" });
    const path = join(folder, "config.json");
    writeFileSync(path, JSON.stringify(config));
    const at = pathToFileURL(path);
    for (const where of [path, at, new URL("./", at)]) {
      const [found] = await client.tables(where, { pos: "0:16" });
      assert.deepEqual(found?.get("cos"), expected?.get("cos"));
      assert.deepEqual(await client.resolve(where), await client.resolve(config));
    }
    await assert.rejects(client.tables("nowhere/config.json"), { name: "Error", message: /^nowhere\/config.json cannot be read: ENOENT/ });
    await stub((_, request, response) => response.end(JSON.stringify(config)), async (served) => {
      const [found] = await client.tables(new URL(`${served}/config.json`), { pos: "0:16" });
      assert.deepEqual(found?.get("cos"), expected?.get("cos"));
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a call ends by its signal, before its answer and within a stream", async () => {
  await stub(() => undefined, async (at) => {
    const why = new Error("enough");
    const slow = new Client({ url: at });
    await assert.rejects(slow.rope({ dim: 8, pos: 1 }, { signal: AbortSignal.abort(why) }), why);
    await assert.rejects(slow.models({ signal: AbortSignal.timeout(50) }), { name: "TimeoutError" });
  });
  await stub((_, request, response) => void response.writeHead(503, { "Retry-After": "30" }).end(), async (at) => {
    await assert.rejects(new Client({ url: at }).models({ signal: AbortSignal.timeout(50) }), { name: "TimeoutError" });
  });
  await stub((_, request, response) => void response.write("begun"), async (at) => {
    const controller = new AbortController();
    const stream = await new Client({ url: at, timeout: 100 }).stream("rope", { dim: 8 }, controller);
    const reader = stream.getReader();
    assert.equal(new TextDecoder().decode((await reader.read()).value), "begun");
    await new Promise((resolve) => setTimeout(resolve, 200)); // longer than the deadline of the head
    controller.abort(new Error("enough"));
    await assert.rejects(reader.read());
  });
});

test("a signal of many calls is left as it was by each of them", async () => {
  const { signal } = new AbortController();
  const left = () => getEventListeners(signal, "abort").length;
  const given = { dim: 8, pos: 1 } as const;
  await client.rope(given, { signal });
  await client.rope({ dim: 7 }, { signal }).catch(() => undefined);
  assert.equal(left(), 0);
  await new Response(await client.stream("rope", given, { signal })).arrayBuffer();
  assert.equal(left(), 0, "a stream that was read");
  await (await client.stream("rope", given, { signal })).cancel();
  assert.equal(left(), 0, "a stream that was cancelled");
  await client.fill("rope", { ...given, out: "cos" }, { cos: new Float32Array(4) }, { signal });
  assert.equal(left(), 0, "arrays that were filled");
  await stub((_, request, response) => {
    response.writeHead(200, { "Content-Length": 9 }).write("begun", () => response.destroy());
  }, async (at) => {
    const stream = await new Client({ url: at }).stream("rope", given, { signal });
    await assert.rejects(new Response(stream).arrayBuffer());
    assert.equal(left(), 0, "a stream that broke off");
  });
});

test("what failed is said: the innermost cause, the kind, the request and no bytes", async () => {
  const refused: unknown = await new Client({ url: "http://127.0.0.1:1", retries: 1 }).models().catch((why: unknown) => why);
  assert.ok(refused instanceof ServiceError);
  assert.match(refused.message, /^http:\/\/127\.0\.0\.1:1 does not answer: (bad port|.*ECONNREFUSED)/);
  assert.ok(refused.cause instanceof Error);
  await assert.rejects(client.rope({ dim: 7, pos: 1 }), (why: unknown) => {
    assert.ok(why instanceof RequestError);
    assert.equal(why.kind, "/problems/invalid-parameter");
    assert.match(why.requestId, /^[0-9a-f]{16}$/);
    return true;
  });
  await stub((_, request, response) => {
    response.writeHead(502, { "Content-Type": request.url === "/v1/models" ? "text/plain" : "text/html" });
    response.end("upstream is\n away\n");
  }, async (at) => {
    const once = new Client({ url: at, retries: 0 });
    await assert.rejects(once.models(), { message: `${at} answers with status 502: upstream is away` });
    await assert.rejects(once.encodings(), { message: `${at} answers with status 502 and no description of the problem` });
  });
});

test("a request is sent again where a proxy or a connection fails", async () => {
  const asked = await stub((count, request, response) => {
    if (count === 1) request.socket.resetAndDestroy();
    else response.writeHead(count === 2 ? 502 : count === 3 ? 504 : 200).end('{"models":[]}');
  }, async (at) => assert.deepEqual(await new Client({ url: at }).models(), []));
  assert.equal(asked, 4);
});

test("an answer is kept by its tag on wish", async () => {
  const tags: (string | undefined)[] = [];
  await stub((count, request, response) => {
    tags.push(request.headers["if-none-match"]);
    response.writeHead(count === 2 ? 304 : 200, { ETag: '"tag"' }).end(count === 2 ? "" : '{"models":[1]}');
  }, async (at) => {
    const keeping = new Client({ url: at, cache: 1000 });
    assert.deepEqual([await keeping.models(), await keeping.models()], [[1], [1]]);
    await keeping.models();
    await new Client({ url: at }).models();
  });
  assert.deepEqual(tags, [undefined, '"tag"', '"tag"', undefined]);
  const keeping = new Client({ url, cache: 1 << 20 });
  const first = (await keeping.rope({ dim: 8, pos: 1 })).get("cos");
  (first.data as Float32Array).fill(0);
  assert.deepEqual((await keeping.rope({ dim: 8, pos: 1 })).get("cos"), (await client.rope({ dim: 8, pos: 1 })).get("cos"));
  let asked = 0;
  await stub((_, request, response) => {
    asked += request.headers["if-none-match"] === undefined ? 0 : 1;
    response.writeHead(200, { ETag: '"tag"' }).end('{}');
  }, async (at) => { // contents of 2 bytes, with targets of more than 400
    const few = new Client({ url: at, cache: 100000 });
    for (let i = 0; i < 400; i += 1) await few.model(`${"x".repeat(400)}${i % 200}`);
  });
  assert.equal(asked, 0, "the answers of a round are no more kept in the next one");
  for (let pos = 0; pos < 4; pos += 1) await keeping.rope({ dim: 1024, dtype: "f64", pos: { start: pos, stop: pos + 99 } });
});

/** A service that answers as the test says; `asked` counts its requests. */
async function stub(
  answer: (asked: number, request: IncomingMessage, response: ServerResponse) => void,
  use: (url: string) => Promise<void>,
): Promise<number> {
  let asked = 0;
  const server = createServer((request, response) => answer((asked += 1), request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return asked;
}

test("an overloaded service is asked again when it says", async () => {
  const busy = (until: number) => (asked: number, _: IncomingMessage, response: ServerResponse) => {
    response.writeHead(asked < until ? 503 : 200, { "Retry-After": "0" });
    response.end('{"models":[]}');
  };
  const asked = await stub(busy(3), async (at) => {
    assert.deepEqual(await new Client({ url: at }).models(), []);
  });
  assert.equal(asked, 3);
  await stub(busy(9), async (at) => {
    await assert.rejects(new Client({ url: at, retries: 1 }).models(), { status: 503 });
  });
});

test("an answer that cannot be read is an error", async () => {
  await stub((_, request, response) => response.end("{"), async (at) => {
    await assert.rejects(new Client({ url: at }).models(), ServiceError);
    await assert.rejects(new Client({ url: at }).rope({ dim: 8, pos: 1 }), ServiceError);
  });
});

test("a blank and a plus sign arrive as they are", async () => {
  await stub((_, request, response) => response.end(JSON.stringify({ url: request.url })), async (at) => {
    const { url: asked } = await new Client({ url: at }).verify({}, { pos: "0 1+2" });
    assert.equal(asked, "/v1/verify?pos=0%201%2B2");
  });
});

test("an answer without content that nobody asked for is refused, and not kept", async () => {
  const tags: (string | undefined)[] = [];
  await stub((_, request, response) => {
    tags.push(request.headers["if-none-match"]);
    response.writeHead(304, { ETag: '"tag"' }).end();
  }, async (at) => {
    const keeping = new Client({ url: at, cache: 1000 });
    await assert.rejects(keeping.models(), { name: "RequestError", status: 304 });
    await assert.rejects(keeping.models(), { name: "RequestError", status: 304 });
    await assert.rejects(keeping.stream("rope", { dim: 8, pos: 1 }), { name: "RequestError", status: 304 });
  });
  assert.deepEqual(tags, [undefined, undefined, undefined]);
});

test("a problem of a gateway is told, whatever its members are", async () => {
  for (const errors of [{ dim: ["is odd"] }, [{ name: "dim" }, "dim", null], null, 7]) {
    await stub((_, request, response) => {
      response.writeHead(403, { "Content-Type": "application/problem+json" });
      response.end(JSON.stringify({ detail: "no such tenant", errors }));
    }, (at) => assert.rejects(new Client({ url: at }).models(), { name: "RequestError", message: "no such tenant" }));
  }
  await stub((_, request, response) => {
    response.writeHead(403, { "Content-Type": "application/problem+json" }).end("null");
  }, (at) => assert.rejects(new Client({ url: at }).models(), { name: "RequestError", status: 403 }));
});

test("a deadline that no timer can wait for is none", async () => {
  await stub((_, request, response) => void setTimeout(() => response.end('{"models":[]}'), 50), async (at) => {
    assert.deepEqual(await new Client({ url: at, timeout: Infinity }).models(), []);
  });
});

test("a key is sent, and a service that does not answer is an error in time", async () => {
  await stub(
    (_, request, response) => response.end(`{"models":["${request.headers.authorization}"]}`),
    async (at) => {
      const models: unknown = await new Client({ url: at, key: "secret" }).models();
      assert.deepEqual(models, ["Bearer secret"]);
    },
  );
  await stub(() => undefined, async (at) => {
    await assert.rejects(new Client({ url: at, timeout: 100 }).models(), ServiceError);
  });
  await assert.rejects(new Client({ url: "http://127.0.0.1:1" }).models(), /does not answer/);
});
