// SPDX-License-Identifier: Apache-2.0
// tags.ts - answers that are kept by their entity tags: the service is asked each time, and says with 304
// that an answer is the one that was kept.

interface Kept {
  readonly tag: string;
  readonly bytes: Uint8Array;
}

const ENTRY = 200; // bytes, about, that an answer takes besides its content and its texts

/** The bytes that a kept answer takes; a letter of a text has two. */
function sizeOf(target: string, { tag, bytes }: Kept): number {
  return ENTRY + 2 * (target.length + tag.length) + bytes.length;
}

/** The answers that were asked for last, which take at most so many bytes together. */
export class Tags {
  private readonly kept = new Map<string, Kept>();
  private size = 0;

  constructor(private readonly most: number) {}

  /** The header fields that say what is kept, and the bytes that a 304 means. */
  condition(target: string): { headers: Record<string, string>; bytes: Uint8Array | undefined } {
    const found = this.kept.get(target);
    if (found === undefined) return { headers: {}, bytes: undefined };
    this.kept.delete(target);
    this.kept.set(target, found); // the last one now
    return { headers: { "If-None-Match": found.tag }, bytes: found.bytes };
  }

  /** Keeps a copy, since the arrays of an answer can be written to. */
  keep(target: string, tag: string | null, bytes: Uint8Array): void {
    if (tag === null || sizeOf(target, { tag, bytes }) > this.most) return;
    this.drop(target);
    const kept = { tag, bytes: bytes.slice() };
    this.size += sizeOf(target, kept);
    this.kept.set(target, kept);
    for (const oldest of this.kept.keys()) {
      if (this.size <= this.most) break;
      this.drop(oldest);
    }
  }

  private drop(target: string): void {
    const found = this.kept.get(target);
    if (found !== undefined) this.size -= sizeOf(target, found);
    this.kept.delete(target);
  }
}
