// SPDX-License-Identifier: Apache-2.0
// npy.js - reads the NPY format, version 1, as the service writes it: little-endian, C order.

const LOWEST = { f64: -Number.MAX_VALUE, f32: -3.4028234663852886e38, f16: -65504, bf16: NaN };

function half(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return exponent
    ? sign * 2 ** (exponent - 25) * (1024 + fraction)
    : sign * 2 ** -24 * fraction;
}

const READERS = {
  '<f8': ['f64', (buffer, at) => new Float64Array(buffer, at)],
  '<f4': ['f32', (buffer, at) => new Float32Array(buffer, at)],
  '<f2': ['f16', (buffer, at) => Float32Array.from(new Uint16Array(buffer, at), half)],
  '<i8': ['i64', (buffer, at) => Float64Array.from(new BigInt64Array(buffer, at), Number)],
  '<i4': ['i32', (buffer, at) => new Int32Array(buffer, at)],
  '<u4': ['u32', (buffer, at) => new Uint32Array(buffer, at)],
  '|i1': ['i8', (buffer, at) => new Int8Array(buffer, at)],
  '|u1': ['u8', (buffer, at) => new Uint8Array(buffer, at)],
  '|b1': ['bool', (buffer, at) => new Uint8Array(buffer, at)],
};

/** What numbers of an element type are: "real", "index" or "mask". */
export function kindOf(dtype) {
  return dtype === 'bool' ? 'mask' : /^[iu]/.test(dtype) ? 'index' : 'real';
}

/** {shape, dtype, kind, data, hidden}: a value below or at `hidden` stands for a masked entry. */
export function readNpy(buffer) {
  const length = new DataView(buffer).getUint16(8, true);
  const head = new TextDecoder('latin1').decode(new Uint8Array(buffer, 10, length));
  const [, descr] = /'descr': *'([^']+)'/.exec(head);
  const [, lengths] = /'shape': *\(([^)]*)\)/.exec(head);
  const reader = READERS[descr];
  if (!reader) throw new Error(`elements of type ${descr} cannot be drawn`);
  const [dtype, read] = reader;
  return {
    shape: lengths
      .split(',')
      .filter((part) => part.trim())
      .map(Number),
    dtype,
    kind: kindOf(dtype),
    data: read(buffer, 10 + length),
    hidden: kindOf(dtype) === 'real' ? LOWEST[dtype] : undefined,
  };
}
