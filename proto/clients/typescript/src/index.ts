// SPDX-License-Identifier: Apache-2.0
// index.ts - positional encodings and attention biases of a posencd, as typed arrays.
export { Client } from "./client.js";
export type {
  Answer, Answers, BatchRequest, Model, ModelUse, OutputOf, StreamOptions,
} from "./client.js";
export type { Config } from "./config.js";
export type * from "./encodings.js";
export { PosencError, RequestError, ServiceError } from "./errors.js";
export type { Problem } from "./errors.js";
export { local, localFetch } from "./local.js";
export type { LocalOptions } from "./local.js";
export { floats, readSafetensors, writeSafetensors } from "./tensor.js";
export type { Dtype, Elements, Tensor, Vectors } from "./tensor.js";
export type { CallOptions, Options } from "./transport.js";
export type { Given, Grid, Numbers, PositionArray, Positions, Slice } from "./values.js";
