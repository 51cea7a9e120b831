// SPDX-License-Identifier: Apache-2.0
// loaded.ts - the modules that this thread has loaded, by their addresses.
import { Module } from "./module.js";
import type { Answered, Asked } from "./module.js";

const loaded = new Map<string, Promise<Module>>();

/** The module of that address, loaded once; a load that failed is tried again by the next request. */
function moduleAt(address: string): Promise<Module> {
  let found = loaded.get(address);
  if (found === undefined) {
    found = Module.load(new URL(address));
    found.catch(() => loaded.delete(address));
    loaded.set(address, found);
  }
  return found;
}

/** The answer of the module of that address. After a trap its stack is not what it was: the next request
 * loads it anew. */
export async function ask(address: string, asked: Asked, signal?: AbortSignal | null): Promise<Answered> {
  const module = await moduleAt(address);
  signal?.throwIfAborted();
  try {
    return module.ask(asked);
  } catch (why) {
    loaded.delete(address);
    throw why;
  }
}
