// SPDX-License-Identifier: Apache-2.0
// values.ts - values of parameters as the text of a query.
import type { Vectors } from "./tensor.js";

/** Positions from start to before stop. */
export interface Slice {
  readonly start?: number;
  readonly stop: number;
  readonly step?: number;
}

/** Positions in one array; BigInt64Array where they are beyond 2^53. */
export type PositionArray = Int32Array | Uint32Array | Float64Array | BigInt64Array;
export type Positions = string | number | readonly number[] | PositionArray | Slice;
export type Numbers = string | number | readonly number[] | readonly (readonly number[])[];
export type Grid = string | readonly [height: number, width: number];
export type Given = Positions | Numbers | Grid | Vectors | boolean | readonly string[];

const FEW = 256; // numbers of a list that a query has space for

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

function isArray(value: unknown): value is PositionArray {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

/** Positions or numbers that are too many for a query, which are sent as a tensor; undefined where they are
 * few, or are no list of numbers. */
export function many(kind: string, value: Given): Vectors | undefined {
  if ((kind !== "positions" && kind !== "numbers") || !(isList(value) || isArray(value))) return undefined;
  const first: unknown = value[0];
  const columns = isList(first) ? first.length : value.length;
  const count = isList(first) ? value.length * columns : columns;
  if (count <= FEW) return undefined;
  if (value instanceof BigInt64Array) return { shape: [count], data: value };
  const shape = isList(first) ? [value.length, columns] : [count];
  const data = new Float64Array(count);
  if (isList(first)) {
    (value as readonly (readonly number[])[]).forEach((row, i) => {
      if (row.length !== columns) throw new RangeError(`row ${i} has ${row.length} numbers, not ${columns}`);
      data.set(row, i * columns);
    });
  } else {
    data.set(value as ArrayLike<number>);
  }
  if (!data.every((one) => Number.isSafeInteger(one))) return { shape, data };
  return { shape, data: BigInt64Array.from(data, BigInt) };
}

/** The text of a value of a parameter of that type of the catalogue. */
export function textOf(kind: string, value: Given): string {
  if (isArray(value)) return textOf(kind, Array.from(value as ArrayLike<number>));
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
