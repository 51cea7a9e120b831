// SPDX-License-Identifier: Apache-2.0
// wrong.ts - calls that must not compile: each line after a directive.
import { Client, RequestError } from "posenc";

const client = new Client();

// @ts-expect-error: an output has another name
await client.rope({ dim: 8, pos: 1, out: "coz" });
// @ts-expect-error: one of two outputs has another name
await client.rope({ dim: 8, pos: 1, out: ["cos", "sinn"] });
// @ts-expect-error: a width is a number
await client.rope({ dim: "8", pos: 1 });
// @ts-expect-error: kerple needs its heads, which no model gives
await client.kerple({ len: 4 });
// @ts-expect-error: rope has no heads
await client.rope({ dim: 8, heads: 8 });
// @ts-expect-error: a boolean is no text
await client.alibi({ heads: 2, len: 3, causal: "yes" });
// @ts-expect-error: there is no such rule of scaling
await client.rope({ dim: 8, scaling: "yarnn" });
// @ts-expect-error: no model has kerple
await client.kerple({ heads: 2, len: 4, model: "bloom" });
// @ts-expect-error: there is no such encoding
await client.roep({ dim: 8 });
// @ts-expect-error: a slice has an end
await client.rope({ dim: 8, pos: { start: 2 } });
// @ts-expect-error: words say whether they are f16 or bf16
await client.ropeApply({ x: { shape: [1, 2], data: new Uint16Array(2) }, pos: 0 });
// @ts-expect-error: a request of a batch has an encoding
await client.batch([{ parameters: { dim: 8 } }]);
// @ts-expect-error: a batch knows its encodings
await client.batch([{ encoding: "roep", parameters: { dim: 8 } }]);
// @ts-expect-error: a parameter of a request of a batch has its type
await client.batch([{ encoding: "rope", parameters: { dim: "8" } }]);
const [one] = await client.batch([{ encoding: "rope", parameters: { dim: 8 } }]);
// @ts-expect-error: an answer of a batch has the outputs of its encoding
if (!(one instanceof RequestError)) one.get("coz");
// @ts-expect-error: there is no such encoding
await client.picture("roep", { dim: 8 });
// @ts-expect-error: rope has no heads
await client.stream("rope", { dim: 8, heads: 8 });
// @ts-expect-error: rope has no such output
await client.fill("rope", { dim: 8 }, { coz: new Float32Array(4) });
// @ts-expect-error: a signal is an AbortSignal
await client.rope({ dim: 8, pos: 1 }, { signal: true });
const answer = await client.rope({ dim: 8, pos: 1 });
// @ts-expect-error: rope has no such output
answer.get("bias");
// @ts-expect-error: nor one that is spelled otherwise
answer.get("coz");
// @ts-expect-error: a deadline is a number
new Client({ timeout: "soon" });
