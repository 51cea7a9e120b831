// SPDX-License-Identifier: Apache-2.0
// fill.ts - a safetensors file that is read into typed arrays of the caller as it arrives.
import { ServiceError } from "./errors.js";
import { bytesFor, headLength, readHead } from "./tensor.js";
import type { Elements, Tensor, TensorHead } from "./tensor.js";
import { piecesOf } from "./transport.js";

const HEAD_MAX = 1 << 20; // bytes of the header of a file

/** The arrays as tensors, and the texts of the file. RangeError: they do not fit; then none was written. */
export async function fill(
  stream: ReadableStream<Uint8Array>,
  arrays: Readonly<Record<string, Elements>>,
): Promise<{ tensors: Record<string, Tensor>; texts: Record<string, string> }> {
  let head = new Uint8Array(0);
  let begun: { heads: TensorHead[]; texts: Record<string, string>; parts: Part[] } | undefined;
  for await (const piece of piecesOf(stream)) {
    if (begun !== undefined) {
      put(begun.parts, piece);
      continue;
    }
    const joined = new Uint8Array(head.length + piece.length);
    joined.set(head);
    joined.set(piece, head.length);
    head = joined;
    const length = head.length < 8 ? 0 : headLength(head);
    if (length > HEAD_MAX) throw new ServiceError(`the answer has a header of ${length} bytes`);
    if (head.length < 8 + length || head.length < 8) continue;
    const { heads, texts } = readHead(head.subarray(8, 8 + length));
    begun = { heads, texts, parts: partsOf(heads, arrays) };
    put(begun.parts, head.subarray(8 + length));
  }
  if (begun === undefined || begun.parts.some(({ at, bytes }) => at < bytes.length)) {
    throw new ServiceError("the answer ends before its tensors are there");
  }
  begun.parts.forEach(({ turn }) => turn());
  const tensors = Object.fromEntries(begun.heads.map(({ name, dtype, shape }): [string, Tensor] =>
    [name, { dtype, shape, data: arrays[name] as Elements }]));
  return { tensors, texts: begun.texts };
}

interface Part {
  readonly bytes: Uint8Array;
  readonly turn: () => void;
  at: number;
}

/** The memory of each tensor, in the order of the file. */
function partsOf(heads: readonly TensorHead[], arrays: Readonly<Record<string, Elements>>): Part[] {
  const given = Object.keys(arrays);
  if (given.length !== heads.length || heads.some(({ name }) => arrays[name] === undefined)) {
    const names = heads.map(({ name }) => name).join(", ");
    throw new RangeError(`the answer has the tensors ${names}; there are arrays for ${given.join(", ")}`);
  }
  return heads.map((one) => ({ ...bytesFor(one, arrays[one.name] as Elements), at: 0 }));
}

/** Copies the next bytes of the file to their places. */
function put(parts: Part[], piece: Uint8Array): void {
  let rest = piece;
  for (const part of parts) {
    const count = Math.min(rest.length, part.bytes.length - part.at);
    part.bytes.set(rest.subarray(0, count), part.at);
    part.at += count;
    rest = rest.subarray(count);
  }
  if (rest.length > 0) throw new ServiceError("the answer goes on after its tensors");
}
