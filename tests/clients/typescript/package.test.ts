// SPDX-License-Identifier: Apache-2.0
// package.test.ts - the package posenc against the service at $POSENC_URL and against stubs of one.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";

import { Client, RequestError, ServiceError, floats, readSafetensors, writeSafetensors } from "posenc";
import type { Given, Tensor } from "posenc";

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
  found.forEach((one, i) => {
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
  await assert.rejects(client.batch([{ encoding: "roep", parameters: {} }]), RangeError);
  const rows = Array.from({ length: 1001 }, (_, pos) => ({ encoding: "rope", parameters: { dim: 4, pos } }));
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
  await assert.rejects(client.picture("roep", {}), /there is no encoding roep/);
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
  assert.deepEqual(readSafetensors(writeSafetensors(sent)).tensors["cos"], cos);
  assert.match(await client.figure("rope", { dim: 8, pos: "0:4" }), /^<svg/);
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
