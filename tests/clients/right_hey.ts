// SPDX-License-Identifier: Apache-2.0
// right_hey.ts - natural calls by hey-api.
import { end, json, same, url } from "./check.js";
import { client } from "./hey/client.gen.js";
import * as posenc from "./hey/sdk.gen.js";

client.setConfig({ baseUrl: url });

const row = await posenc.getRope({ query: { dim: 4, pos: 1, out: "cos" } });
same("a row", json(row.data).tensors[0]?.data, [[0.5403023, 0.99995]]);
same("a fact", json(row.data).facts.effective_base, 10000);

const table = await posenc.getRope({
  query: { dim: 4, pos: [0, 1, 2], out: ["cos", "sin"], pairing: "half" },
});
same("names", json(table.data).tensors.map((tensor) => tensor.name), ["cos", "sin"]);
same("shape", json(table.data).tensors[0]?.shape, [3, 2]);

const named = await posenc.getRope({ query: { model: "llama-3.1-8b", out: "inv_freq" } });
same("a model's frequencies", json(named.data).tensors[0]?.shape, [64]);

const bias = await posenc.getAlibi({
  query: { heads: 2, len: 3, causal: true, mask_value: "-inf" },
});
same("a bias", json(bias.data).tensors[0]?.shape, [2, 3, 3]);

const turned = await posenc.postRopeApply({
  body: { x: [[1, 2, 3, 4]], pos: [0], pairing: "adjacent" },
});
same("a rotated vector", json(turned.data).tensors[0]?.data, [[1, 2, 3, 4]]);

const posted = await posenc.postRope({ body: { dim: 4, pos: { stop: 2 }, out: ["sin"] } });
same("a body", json(posted.data).tensors[0]?.shape, [2, 2]);

const split = await posenc.postRopeApply({ query: { pos: 0, out: "x" }, body: { x: [[1, 2, 3, 4]] } });
same("parameters beside a body", json(split.data).tensors[0]?.data, [[1, 2, 3, 4]]);

const yarn = await posenc.getRope({
  query: { dim: 8, pos: 3, scaling: "yarn", factor: 4, original_max_position_embeddings: 32, truncate: false },
});
same("a truth value", json(yarn.data).params["truncate"], "0");

const config = await posenc.postV1ModelsResolve({
  body: { model_type: "llama", head_dim: 128, rope_theta: 500000 },
});
same("a config", config.data?.uses[0]?.encoding, "rope");

const model = await posenc.getV1ModelsModel({ path: { model: "llama-3.1-8b" } });
same("a model", model.data?.uses[0]?.parameters?.["dim"], 128);

const list = await posenc.getV1Encodings({ query: { fields: ["name", "family"] } });
same("the catalogue", list.data?.encodings.find((one) => one.name === "t5")?.family, "bias");

const wrong = await posenc.getRope({ query: { dim: 7, pos: "0:2" } });
same("a problem", wrong.error?.type, "/problems/invalid-parameter");
same("its parameter", wrong.error?.errors?.[0]?.parameter, "dim");

const bytes = await posenc.getRope({
  query: { dim: 4, pos: "0:2", out: "cos", format: "raw" },
  parseAs: "blob",
});
same("bytes", bytes.data instanceof Blob && bytes.data.size, 16);
end();
