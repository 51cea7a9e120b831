// SPDX-License-Identifier: Apache-2.0
// index.ts - positional encodings and attention biases of a posencd, as typed arrays.
export { Client } from "./client.js";
export type { Answer, BatchRequest, Model, ModelUse } from "./client.js";
export type * from "./encodings.js";
export { PosencError, RequestError, ServiceError } from "./errors.js";
export type { Problem } from "./errors.js";
export { floats, readSafetensors, writeSafetensors } from "./tensor.js";
export type { Dtype, Elements, Tensor, Vectors } from "./tensor.js";
export type { Options } from "./transport.js";
export type { Given, Grid, Numbers, Positions, Slice } from "./values.js";
