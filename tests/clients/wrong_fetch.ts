// SPDX-License-Identifier: Apache-2.0
// wrong_fetch.ts - calls by openapi-fetch that must not compile: each line after a directive.
import createClient from "openapi-fetch";

import { json } from "./check.js";
import type { paths } from "./fetch_types.js";

const client = createClient<paths>({ baseUrl: "" });

// @ts-expect-error: an output has another name
await client.GET("/v1/rope", { params: { query: { dim: 4, out: "coz" } } });
// @ts-expect-error: one of two outputs has another name
await client.GET("/v1/rope", { params: { query: { dim: 4, out: ["cos", "sinn"] } } });
// @ts-expect-error: a width is a number
await client.GET("/v1/rope", { params: { query: { dim: "4" } } });
// @ts-expect-error: kerple needs its heads, which no model gives
await client.GET("/v1/kerple", { params: { query: { len: 4 } } });
// @ts-expect-error: positions are numbers or text
await client.GET("/v1/rope", { params: { query: { dim: 4, pos: true } } });
// @ts-expect-error: a boolean is no text
await client.GET("/v1/alibi", { params: { query: { heads: 2, len: 3, causal: "yes" } } });
// @ts-expect-error: whether the ramp is truncated is a truth value
await client.GET("/v1/rope", { params: { query: { dim: 8, truncate: "no" } } });
// @ts-expect-error: there is no such rule of scaling
await client.GET("/v1/rope", { params: { query: { dim: 4, scaling: "yarnn" } } });
// @ts-expect-error: no model has kerple
await client.GET("/v1/kerple", { params: { query: { heads: 2, len: 4, model: "bloom" } } });
// @ts-expect-error: there is no such encoding
await client.GET("/v1/roep", {});
// @ts-expect-error: a slice has an end
await client.POST("/v1/rope", { body: { dim: 4, pos: { start: 2 } } });
// @ts-expect-error: a configuration has a body
await client.POST("/v1/models/resolve", {});
const row = await client.GET("/v1/rope", { params: { query: { dim: 4, pos: 1 } } });
// @ts-expect-error: the answer of rope has no such fact
console.log(json(row.data).facts.fully_masked_rows);
// @ts-expect-error: no tensor of rope has that name
console.log(json(row.data).tensors.find((tensor) => tensor.name === "bias"));
