// SPDX-License-Identifier: Apache-2.0
// values.ts - values of parameters as the text of a query.
import type { Vectors } from "./tensor.js";

/** Positions from start to before stop. */
export interface Slice {
  readonly start?: number;
  readonly stop: number;
  readonly step?: number;
}

export type Positions = string | number | readonly number[] | Slice;
export type Numbers = string | number | readonly number[] | readonly (readonly number[])[];
export type Grid = string | readonly [height: number, width: number];
export type Given = Positions | Numbers | Grid | Vectors | boolean | readonly string[];

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Whether a value is a tensor, which is sent as bytes. */
export function isVectors(value: unknown): value is Vectors {
  return typeof value === "object" && value !== null && "data" in value && "shape" in value;
}

function numbers(value: readonly unknown[]): string {
  return value.map((row) => (isList(row) ? row.join(",") : String(row))).join(isList(value[0]) ? ";" : ",");
}

/** The text of a value of a parameter of that type of the catalogue. */
export function textOf(kind: string, value: Given): string {
  if (isList(value)) {
    if (kind === "grid") return value.join("x");
    if (kind === "positions" && value.length === 0) return "0:0";
    return numbers(value);
  }
  if (typeof value === "object" && "stop" in value) {
    const step = value.step === undefined ? "" : `:${value.step}`;
    return `${value.start ?? 0}:${value.stop}${step}`;
  }
  return String(value);
}

/** The query of names and texts; a plus sign is itself, and a blank is %20. */
export function queryOf(texts: Record<string, string>): string {
  return new URLSearchParams(texts).toString().replaceAll("+", "%20");
}
