// SPDX-License-Identifier: Apache-2.0
// wrong_hey.ts - calls by hey-api that must not compile: each line after a directive.
import * as posenc from "./hey/sdk.gen.js";

// @ts-expect-error: an output has another name
await posenc.getRope({ query: { dim: 4, out: "coz" } });
// @ts-expect-error: one of two outputs has another name
await posenc.getRope({ query: { dim: 4, out: ["cos", "sinn"] } });
// @ts-expect-error: a width is a number
await posenc.getRope({ query: { dim: "4" } });
// @ts-expect-error: kerple needs its heads, which no model gives
await posenc.getKerple({ query: { len: 4 } });
// @ts-expect-error: rope has no heads
await posenc.getRope({ query: { dim: 4, heads: 8 } });
// @ts-expect-error: a boolean is no text
await posenc.getAlibi({ query: { heads: 2, len: 3, causal: "yes" } });
// @ts-expect-error: whether the ramp is truncated is a truth value
await posenc.getRope({ query: { dim: 8, truncate: "no" } });
// @ts-expect-error: there is no such rule of scaling
await posenc.getRope({ query: { dim: 4, scaling: "yarnn" } });
// @ts-expect-error: no model has kerple
await posenc.getKerple({ query: { heads: 2, len: 4, model: "bloom" } });
// @ts-expect-error: there is no such encoding
await posenc.getRoep({});
// @ts-expect-error: a body has no other members than parameters
await posenc.postRope({ body: { dim: 4, pos: "0:2", colour: "red" } });
// @ts-expect-error: a configuration has a body
await posenc.postV1ModelsResolve({});
// @ts-expect-error: no encoding has that name
await posenc.getV1EncodingsId({ path: { id: "roep" } });
