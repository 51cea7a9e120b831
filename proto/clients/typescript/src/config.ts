// SPDX-License-Identifier: Apache-2.0
// config.ts - a config.json of Hugging Face, as a caller has it.
import { PosencError, reasonOf } from "./errors.js";
import { fileAt } from "./file.js";

/** A published model's name, or a config.json: an object, a path of Node's that ends with .json, or a URL of
 * the file or, with a slash at its end, of its folder. */
export type Config = string | URL | object;

/** Whether a text is the path of a config.json, and no name of a model. */
export function isPath(text: string): boolean {
  return text.endsWith(".json");
}

/** The text of a config.json. PosencError: it cannot be read. */
export async function configText(config: Config): Promise<string> {
  if (typeof config === "object" && !(config instanceof URL)) return JSON.stringify(config);
  const isFolder = config instanceof URL && config.pathname.endsWith("/");
  const address = isFolder ? new URL("config.json", config) : config;
  try {
    return new TextDecoder().decode(await fileAt(address));
  } catch (why) {
    const hint = typeof address === "string" && typeof location !== "undefined"
      ? "a page reads no path: it gives a URL or the object" : reasonOf(why).text;
    throw new PosencError(`${String(address)} cannot be read: ${hint}`, { cause: why });
  }
}
