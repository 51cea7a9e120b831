// SPDX-License-Identifier: Apache-2.0
// right_fetch.ts - natural calls by openapi-typescript and openapi-fetch.
import createClient from "openapi-fetch";

import { end, json, same, url } from "./check.js";
import type { paths } from "./fetch_types.js";

const client = createClient<paths>({
  baseUrl: url,
  querySerializer: { array: { style: "form", explode: false } },
});

const row = await client.GET("/v1/rope", { params: { query: { dim: 4, pos: 1, out: "cos" } } });
same("a row", json(row.data).tensors[0]?.data, [[0.5403023, 0.99995]]);
same("a fact", json(row.data).facts.effective_base, 10000);

const table = await client.GET("/v1/rope", {
  params: { query: { dim: 4, pos: [0, 1, 2], out: ["cos", "sin"], pairing: "half" } },
});
same("names", json(table.data).tensors.map((tensor) => tensor.name), ["cos", "sin"]);
same("shape", json(table.data).tensors[0]?.shape, [3, 2]);

const named = await client.GET("/v1/rope", {
  params: { query: { model: "llama-3.1-8b", out: "inv_freq", data: "flat" } },
});
same("a model's frequencies", json(named.data).tensors[0]?.shape, [64]);

const bias = await client.GET("/v1/alibi", {
  params: { query: { heads: 2, len: 3, causal: true, mask_value: "-inf" } },
});
same("a bias", json(bias.data).tensors[0]?.shape, [2, 3, 3]);

const turned = await client.POST("/v1/rope/apply", {
  body: { x: [[1, 2, 3, 4]], pos: [0], pairing: "adjacent" },
});
same("a rotated vector", json(turned.data).tensors[0]?.data, [[1, 2, 3, 4]]);

const posted = await client.POST("/v1/rope", { body: { dim: 4, pos: { stop: 2 }, out: ["sin"] } });
same("a body", json(posted.data).tensors[0]?.shape, [2, 2]);

const file = new Uint8Array(new Float32Array([1, 2, 3, 4]).buffer);
const sent = await client.POST("/v1/rope/apply", {
  params: { query: { pos: 0, in_dtype: "f32", shape: "1,4", format: "raw" } },
  body: "",
  bodySerializer: () => file,
  headers: { "Content-Type": "application/octet-stream" },
  parseAs: "arrayBuffer",
});
same("a file of vectors", sent.data instanceof ArrayBuffer && [...new Float32Array(sent.data)], [1, 2, 3, 4]);

const yarn = await client.GET("/v1/rope", {
  params: { query: { dim: 8, pos: 3, scaling: "yarn", factor: 4, original_max_position_embeddings: 32, truncate: false } },
});
same("a truth value", json(yarn.data).params["truncate"], "0");

const config = await client.POST("/v1/models/resolve", {
  body: { model_type: "llama", head_dim: 128, rope_theta: 500000 },
});
same("a config", config.data?.uses[0]?.encoding, "rope");

const model = await client.GET("/v1/models/{model}", { params: { path: { model: "llama-3.1-8b" } } });
same("a model", model.data?.uses[0]?.parameters?.["dim"], 128);

const list = await client.GET("/v1/encodings", {
  params: { query: { fields: ["name", "family"] } },
});
same("the catalogue", list.data?.encodings.find((one) => one.name === "t5")?.family, "bias");

const wrong = await client.GET("/v1/rope", { params: { query: { dim: 7, pos: "0:2" } } });
same("a problem", wrong.error?.type, "/problems/invalid-parameter");
same("its parameter", wrong.error?.errors?.[0]?.parameter, "dim");

const bytes = await client.GET("/v1/rope", {
  params: { query: { dim: 4, pos: "0:2", out: "cos", format: "raw" } },
  parseAs: "arrayBuffer",
});
same("bytes", bytes.data instanceof ArrayBuffer && bytes.data.byteLength, 16);
end();
