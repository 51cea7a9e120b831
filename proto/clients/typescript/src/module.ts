// SPDX-License-Identifier: Apache-2.0
// module.ts - the library as a WebAssembly module: loaded, and asked as the service is asked.
import { PosencError, reasonOf } from "./errors.js";
import { fileAt } from "./file.js";

/** The functions of proto/local/module.h; addresses and lengths are numbers. */
interface Exports {
  readonly memory: WebAssembly.Memory;
  _initialize(): void;
  module_allocate(size: number): number;
  module_release(at: number): void;
  module_ask(method: number, path: number, query: number, accept: number, type: number, body: number,
    bodyLength: number): number;
  module_free(answer: number): void;
  module_status(answer: number): number;
  module_type(answer: number): number;
  module_headers(answer: number): number;
  module_body(answer: number): number;
  module_body_len(answer: number): number;
}

/** A request by the paths and queries of the service. */
export interface Asked {
  readonly method: string;
  /** Decoded. */
  readonly path: string;
  /** Behind the "?", as in a URL. */
  readonly query: string;
  readonly accept?: string | undefined;
  /** The type of the body; left out where there is none. */
  readonly type?: string | undefined;
  readonly body?: Uint8Array | undefined;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const NEEDS = "WebAssembly with SIMD (Node 18, Chromium 91, Firefox 89, Safari 16.4)";
const NO_SYSTEM = 52; // what a call of the system returns: there is none (ENOSYS)

/** The module's library asks for no system but to print before it aborts; nothing is printed. */
function importsOf(module: WebAssembly.Module): WebAssembly.Imports {
  const imports: Record<string, Record<string, () => number>> = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    (imports[from] ??= {})[name] = () => NO_SYSTEM;
  }
  return imports;
}

async function bytesOf(address: URL): Promise<ArrayBuffer | Uint8Array> {
  try {
    return await fileAt(address);
  } catch (why) {
    throw new PosencError(`${address.href} cannot be read: ${reasonOf(why).text}; { modules } must be the URL ` +
      `of the folder with posenc.wasm and the other modules, which are beside the package's index.js`,
    { cause: why });
  }
}

async function compiled(address: URL): Promise<WebAssembly.Module> {
  if (typeof WebAssembly === "undefined") {
    throw new PosencError(`the local library needs ${NEEDS}`);
  }
  const bytes = await bytesOf(address);
  try {
    return await WebAssembly.compile(bytes as BufferSource);
  } catch (why) {
    throw new PosencError(`${address.href} cannot be run here: it needs ${NEEDS}, and a page whose policy ` +
      `has 'wasm-unsafe-eval'`, { cause: why });
  }
}

/** A loaded module. Its memory grows to what the largest request needs, and stays. */
export class Module {
  private constructor(private readonly calls: Exports) {}

  static async load(address: URL): Promise<Module> {
    const module = await compiled(address);
    const instance = await WebAssembly.instantiate(module, importsOf(module));
    const calls = instance.exports as unknown as Exports;
    calls._initialize();
    return new Module(calls);
  }

  /** The address of bytes in the module's memory; 0 for none. */
  private put(bytes: Uint8Array | undefined): number {
    if (bytes === undefined) return 0;
    const at = this.calls.module_allocate(bytes.length || 1);
    if (at === 0) throw new PosencError("the module has no memory left for the request");
    new Uint8Array(this.calls.memory.buffer, at, bytes.length).set(bytes);
    return at;
  }

  private text(at: number): string {
    const bytes = new Uint8Array(this.calls.memory.buffer, at);
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
  }

  /** The bytes of the module's memory. */
  memorySize(): number {
    return this.calls.memory.buffer.byteLength;
  }

  ask(asked: Asked): Answered {
    const { calls } = this;
    const texts = [asked.method, asked.path, asked.query, asked.accept, asked.type];
    const given = texts.map((text) => text === undefined ? 0 : this.put(new TextEncoder().encode(`${text}\0`)));
    const [method, path, query, accept, type] = given as [number, number, number, number, number];
    const body = this.put(asked.type === undefined ? undefined : asked.body ?? new Uint8Array());
    const answer = calls.module_ask(method, path, query, accept, type, body, asked.body?.length ?? 0);
    for (const at of [...given, body]) if (at !== 0) calls.module_release(at);
    if (answer === 0) throw new PosencError("the module has no memory left for the answer");
    const headers: Record<string, string> = { "Content-Type": this.text(calls.module_type(answer)) };
    for (const line of this.text(calls.module_headers(answer)).split("\n")) {
      const colon = line.indexOf(":");
      if (colon > 0) headers[line.slice(0, colon)] = line.slice(colon + 1).trim();
    }
    const bytes = new Uint8Array(calls.memory.buffer, calls.module_body(answer), calls.module_body_len(answer));
    const found = { status: calls.module_status(answer), headers, body: bytes.slice() };
    calls.module_free(answer);
    return found;
  }
}
