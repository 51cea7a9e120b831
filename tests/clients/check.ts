// SPDX-License-Identifier: Apache-2.0
// check.ts - what a program that uses a client shows of its answers.

let failed = 0;

/** Counts a failure unless both are the same JSON. */
export function same(what: string, found: unknown, expected: unknown): void {
  if (JSON.stringify(found) !== JSON.stringify(expected)) {
    failed += 1;
    console.error(`${what}: ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`);
  }
}

/** The answer as JSON: an encoding answers text or bytes in its other formats. */
export function json<T>(data: T): Exclude<T, string | Blob | undefined> {
  if (typeof data !== "object" || data === null || data instanceof Blob) {
    throw new Error(`no JSON: ${String(data)}`);
  }
  return data as Exclude<T, string | Blob | undefined>;
}

/** Ends the program: with 1 if a check failed. */
export function end(): void {
  process.exitCode = failed === 0 ? 0 : 1;
}

export const url: string = process.env["POSENC_URL"] ?? "";
