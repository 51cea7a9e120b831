// SPDX-License-Identifier: Apache-2.0
// file.ts - files of Node's disk and of the web.
import { PosencError } from "./errors.js";

/** The bytes of a file: by fetch, or from the disk where the address is one of Node's or a path. */
export async function fileAt(address: URL | string): Promise<ArrayBuffer | Uint8Array> {
  if (typeof address === "string" || address.protocol === "file:") {
    const name = "node:fs/promises"; // in a variable, so that bundlers leave it out: a browser has no such address
    const files = (await import(name)) as {
      readFile(path: URL | string): Promise<Uint8Array>;
    };
    return files.readFile(address);
  }
  const answer = await fetch(address);
  if (!answer.ok) throw new PosencError(`it has status ${answer.status}`);
  return answer.arrayBuffer();
}
