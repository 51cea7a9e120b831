// SPDX-License-Identifier: Apache-2.0
// tensor.ts - typed arrays with a shape, and safetensors, in which they travel.
import { ServiceError } from "./errors.js";

export type Dtype = "f64" | "f32" | "f16" | "bf16" | "i32" | "i64" | "u8" | "bool";

/** The elements: Uint16Array for f16 and bf16, whose words `floats` reads; Uint8Array for bool. */
export type Elements =
  | Float64Array
  | Float32Array
  | Uint16Array
  | Int32Array
  | BigInt64Array
  | Uint8Array;

export interface Tensor {
  readonly dtype: Dtype;
  readonly shape: readonly number[];
  readonly data: Elements;
}

/** A tensor that is sent. Words of 16 bits and bytes say what they are: f16 or bf16, u8 or bool. */
export type Vectors = { readonly shape: readonly number[] } & (
  | { readonly data: Float64Array | Float32Array | Int32Array | BigInt64Array; readonly dtype?: Dtype }
  | { readonly data: Uint16Array | Uint8Array; readonly dtype: Dtype }
  | Tensor
);

const BYTES: Record<Dtype, number> = {
  f64: 8, f32: 4, f16: 2, bf16: 2, i32: 4, i64: 8, u8: 1, bool: 1,
};

const LITTLE = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** Reverses the bytes of each element. */
function reverse(bytes: Uint8Array, size: number): void {
  for (let at = 0; size > 1 && at < bytes.length; at += size) bytes.subarray(at, at + size).reverse();
}

/** Bytes in little-endian order as elements: a view of them, where alignment and machine allow it. */
function elements(dtype: Dtype, bytes: Uint8Array): Elements {
  const size = BYTES[dtype];
  const own = LITTLE && bytes.byteOffset % size === 0 ? bytes : bytes.slice();
  if (!LITTLE) reverse(own, size);
  const count = own.length / size;
  switch (dtype) {
    case "f64":
      return new Float64Array(own.buffer, own.byteOffset, count);
    case "f32":
      return new Float32Array(own.buffer, own.byteOffset, count);
    case "f16":
    case "bf16":
      return new Uint16Array(own.buffer, own.byteOffset, count);
    case "i32":
      return new Int32Array(own.buffer, own.byteOffset, count);
    case "i64":
      return new BigInt64Array(own.buffer, own.byteOffset, count);
    default:
      return own;
  }
}

/** The numbers of a tensor as float32, exact for f16 and bf16; i64 and f64 are rounded. */
export function floats(tensor: Tensor): Float32Array {
  if (tensor.dtype === "f32") return tensor.data as Float32Array;
  const out = new Float32Array(tensor.data.length);
  const words = new Uint32Array(out.buffer);
  tensor.data.forEach((value: number | bigint, i: number) => {
    if (tensor.dtype === "bf16") words[i] = Number(value) << 16;
    else out[i] = tensor.dtype === "f16" ? half(Number(value)) : Number(value);
  });
  return out;
}

/** The number that a word of binary16 means. */
function half(word: number): number {
  const sign = word & 0x8000 ? -1 : 1;
  const exponent = (word >> 10) & 31;
  const fraction = word & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
}

/** The dtype of a tensor that is sent. */
export function dtypeOf(vectors: Vectors): Dtype {
  if (vectors.dtype !== undefined) return vectors.dtype;
  if (vectors.data instanceof Float64Array) return "f64";
  if (vectors.data instanceof Float32Array) return "f32";
  return vectors.data instanceof Int32Array ? "i32" : "i64";
}

/** A safetensors file of named tensors. */
export function writeSafetensors(
  tensors: Record<string, Vectors>,
  metadata?: Record<string, string>,
): Uint8Array {
  const head: Record<string, unknown> = metadata ? { __metadata__: metadata } : {};
  const parts: { bytes: Uint8Array; size: number }[] = [];
  let at = 0;
  for (const [name, one] of Object.entries(tensors)) {
    const count = one.shape.reduce((a, b) => a * b, 1);
    if (count !== one.data.length) {
      throw new RangeError(`${name} has ${one.data.length} numbers; its shape says ${count}`);
    }
    const dtype = dtypeOf(one);
    if (one.data.BYTES_PER_ELEMENT !== BYTES[dtype]) {
      const size = one.data.BYTES_PER_ELEMENT;
      throw new RangeError(`${name} has elements of ${size} bytes, which are no ${dtype}`);
    }
    const bytes = new Uint8Array(one.data.buffer, one.data.byteOffset, one.data.byteLength);
    const end = at + bytes.length;
    head[name] = { dtype: dtype.toUpperCase(), shape: one.shape, data_offsets: [at, end] };
    parts.push({ bytes, size: BYTES[dtype] });
    at = end;
  }
  let text = JSON.stringify(head);
  text += " ".repeat((8 - (new TextEncoder().encode(text).length % 8)) % 8);
  const begin = new TextEncoder().encode(text);
  const file = new Uint8Array(8 + begin.length + at);
  new DataView(file.buffer).setBigUint64(0, BigInt(begin.length), true);
  file.set(begin, 8);
  let to = 8 + begin.length;
  for (const { bytes, size } of parts) {
    file.set(bytes, to);
    if (!LITTLE) reverse(file.subarray(to, to + bytes.length), size);
    to += bytes.length;
  }
  return file;
}

/** A tensor of JSON whose data are base64 of little-endian bytes. */
export function tensorOf(given: { dtype: string; shape: number[]; data: string }): Tensor {
  const dtype = given.dtype as Dtype;
  if (!(dtype in BYTES)) throw new ServiceError(`the dtype ${given.dtype} is unknown`);
  const bytes = Uint8Array.from(atob(given.data), (letter) => letter.charCodeAt(0));
  return { dtype, shape: given.shape, data: elements(dtype, bytes) };
}

interface Entry {
  dtype: string;
  shape: number[];
  data_offsets: [number, number];
}

/** A tensor of a safetensors file without its elements. */
export interface TensorHead {
  readonly name: string;
  readonly dtype: Dtype;
  readonly shape: readonly number[];
  readonly begin: number;
  readonly end: number;
}

/** The bytes of the header of a safetensors file, of which `file` has the first eight. */
export function headLength(file: Uint8Array): number {
  if (file.length < 8) throw new ServiceError("the answer is no safetensors file: it has no header");
  return Number(new DataView(file.buffer, file.byteOffset, 8).getBigUint64(0, true));
}

/** The tensors that a header says, in the order of their bytes, and the texts. */
export function readHead(head: Uint8Array): { heads: TensorHead[]; texts: Record<string, string> } {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(head);
    const { __metadata__: texts, ...entries } = JSON.parse(text) as Record<string, Entry> & {
      __metadata__?: Record<string, string>;
    };
    const heads = Object.entries(entries as Record<string, Entry>).map(([name, entry]) => {
      const [begin, end] = entry.data_offsets;
      const dtype = entry.dtype.toLowerCase() as Dtype;
      if (!(dtype in BYTES)) throw new Error(`the dtype ${entry.dtype} is unknown`);
      const size = entry.shape.reduce((a, b) => a * b, 1) * BYTES[dtype];
      if (end - begin !== size) throw new Error(`${name} has ${end - begin} bytes of ${size}`);
      return { name, dtype, shape: entry.shape, begin, end };
    });
    heads.sort((a, b) => a.begin - b.begin || a.end - b.end);
    return { heads, texts: (texts as Record<string, string> | undefined) ?? {} };
  } catch (why) {
    throw new ServiceError("the answer is no safetensors file", why);
  }
}

/** The tensors and the texts of a safetensors file. */
export function readSafetensors(file: Uint8Array): {
  tensors: Record<string, Tensor>;
  texts: Record<string, string>;
} {
  const from = 8 + headLength(file);
  const { heads, texts } = readHead(file.subarray(8, from));
  const tensors: Record<string, Tensor> = {};
  for (const { name, dtype, shape, begin, end } of heads) {
    if (from + end > file.length) {
      throw new ServiceError(`the answer is no safetensors file: ${name} is cut short`);
    }
    tensors[name] = { dtype, shape, data: elements(dtype, file.subarray(from + begin, from + end)) };
  }
  return { tensors, texts };
}

/** Bytes of a typed array that elements of the dtype are written to, in little-endian order as they come;
 * `turn` puts them into this machine's order. */
export function bytesFor(head: TensorHead, data: Elements): { bytes: Uint8Array; turn: () => void } {
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const isFloat = data instanceof Float32Array || data instanceof Float64Array;
  const isWhole = data instanceof Int32Array || data instanceof BigInt64Array;
  const wanted = head.dtype === "f32" || head.dtype === "f64";
  if (bytes.length !== head.end - head.begin || data.BYTES_PER_ELEMENT !== BYTES[head.dtype] ||
      isFloat !== wanted || isWhole !== (head.dtype === "i32" || head.dtype === "i64")) {
    throw new RangeError(`${head.name} has ${head.dtype}s of the shape ${head.shape.join("x")}, ${
      head.end - head.begin} bytes; the array has ${bytes.length} bytes of ${data.constructor.name}`);
  }
  return { bytes, turn: () => LITTLE || reverse(bytes, BYTES[head.dtype]) };
}
