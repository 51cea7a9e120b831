// SPDX-License-Identifier: Apache-2.0
// client.ts - a service as an object: every encoding is a method of it (encodings.ts).
import { configText, isPath } from "./config.js";
import type { Config } from "./config.js";
import { Encodings, KINDS } from "./encodings.js";
import { errorOf } from "./errors.js";
import type { EncodingName, OutputsOf, ParametersOf } from "./encodings.js";
import type { RequestError } from "./errors.js";
import { fill } from "./fill.js";
import { dtypeOf, floats, readSafetensors, tensorOf, writeSafetensors } from "./tensor.js";
import type { Elements, Tensor, Vectors } from "./tensor.js";
import { Transport } from "./transport.js";
import type { CallOptions, Content, Options, Sent } from "./transport.js";
import { isVectors, many, queryOf, textOf } from "./values.js";
import type { Given } from "./values.js";

const REQUESTS_MAX = 1000; // of one batch; longer lists are sent in several
const LONGEST_TARGET = 4000; // bytes of a target; longer requests are posted
const JSON_TYPE = "application/json";
const SAFETENSORS_TYPE = "application/x-safetensors";

/** Tensors of an answer by the names of outputs, with what the plan found out about them. */
export interface Answer<Outputs extends string> {
  readonly tensors: { readonly [Name in Outputs]?: Tensor };
  readonly facts: Readonly<Record<string, number | string>>;
  readonly warnings: readonly string[];
  /** The tensor of that name; an error that lists those that are there, where there is none. */
  get(name: Outputs): Tensor;
}

export interface ModelUse {
  readonly encoding: string | null;
  readonly parameters?: Readonly<Record<string, Given>>;
  readonly urls?: readonly string[];
}

export interface Model {
  readonly id?: string;
  readonly title?: string;
  readonly uses: readonly ModelUse[];
  readonly warnings?: readonly string[];
}

/** A request of a batch: an encoding and its parameters. */
export type BatchRequest = {
  [Name in EncodingName]: { readonly encoding: Name; readonly parameters: ParametersOf[Name] };
}[EncodingName];

/** The names of the outputs of an encoding. */
export type OutputOf<Name extends EncodingName> = OutputsOf[Name];

/** The answers of a batch, in the order of its requests. */
export type Answers<Requests extends readonly BatchRequest[]> = {
  -readonly [I in keyof Requests]: Answer<OutputsOf[Requests[I]["encoding"]]> | RequestError;
};

export interface StreamOptions extends CallOptions {
  /** The format of the file: safetensors, unless another is named. */
  readonly format?: "safetensors" | "npy" | "raw" | "csv" | "json";
}

type Parameters = Readonly<Record<string, Given | undefined>>;

function answerOf<Outputs extends string>(file: Uint8Array): Answer<Outputs> {
  const { tensors, texts } = readSafetensors(file);
  return answerOfTexts(tensors, texts);
}

/** An answer whose facts and warnings are texts of the file. */
function answerOfTexts<Outputs extends string>(
  tensors: Record<string, Tensor>,
  texts: Record<string, string>,
): Answer<Outputs> {
  return answerWith(tensors, JSON.parse(texts["facts"] ?? "{}") as Record<string, number | string>,
    JSON.parse(texts["warnings"] ?? "[]") as string[]);
}

function answerWith<Outputs extends string>(
  tensors: Record<string, Tensor>,
  facts: Record<string, number | string>,
  warnings: readonly string[],
): Answer<Outputs> {
  return {
    tensors: tensors as { [Name in Outputs]?: Tensor },
    facts,
    warnings,
    get(name) {
      const found = tensors[name];
      if (found === undefined) {
        throw new RangeError(`the answer has no tensor ${name}; it has ${Object.keys(tensors).join(", ")}`);
      }
      return found;
    },
  };
}

/** Tensors as JSON, for a batch, or a request whose texts fill no query; all have one dtype. */
function written(sent: Record<string, Vectors>, lists: Record<string, Vectors>): object {
  const listed = Object.entries(lists).map(([name, { shape, data }]): [string, unknown] => {
    const numbers = Array.from(data as ArrayLike<number | bigint>, Number);
    const [rows = 0, columns = 0] = shape;
    return [name, shape.length < 2 ? numbers : Array.from({ length: rows }, (_, i) =>
      numbers.slice(i * columns, (i + 1) * columns))];
  });
  const dtypes = [...new Set(Object.values(sent).map(dtypeOf))];
  if (dtypes.length > 1) {
    throw new RangeError(`tensors beside many positions have one dtype; got ${dtypes.join(", ")}`);
  }
  const members = Object.entries(sent).map(([name, one]): [string, object] => {
    const tensor = { dtype: dtypeOf(one), shape: one.shape, data: one.data };
    const numbers = tensor.dtype === "f64" ? [...(one.data as Float64Array)] : [...floats(tensor)];
    return [name, { shape: one.shape, data: numbers }];
  });
  return { ...Object.fromEntries([...members, ...listed]), ...(dtypes[0] ? { in_dtype: dtypes[0] } : {}) };
}

/** The parameters as texts, those that are tensors, and lists that are too long for a query. */
function divided(
  encoding: string,
  given: Parameters,
  texts: Record<string, string>,
): { texts: Record<string, string>; sent: Record<string, Vectors>; lists: Record<string, Vectors> } {
  const kinds = KINDS[encoding];
  if (kinds === undefined) throw new RangeError(`there is no encoding ${encoding}`);
  const sent: Record<string, Vectors> = {};
  const lists: Record<string, Vectors> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const list = many(kinds[name] ?? "word", value);
    if (isVectors(value)) sent[name] = value;
    else if (list !== undefined) lists[name] = list;
    else texts[name] = textOf(kinds[name] ?? "word", value);
  }
  return { texts, sent, lists };
}

/** A request for an encoding: texts are in the query, tensors and long lists are a file. */
function requestOf(encoding: string, given: object, format: string): Sent {
  const { texts, sent, lists } = divided(encoding, given as Parameters, { format });
  const target = `/v1/${encoding}?${queryOf(texts)}`;
  if (target.length > LONGEST_TARGET) {
    const body = JSON.stringify({ ...texts, ...written(sent, lists) });
    return { target: `/v1/${encoding}`, type: JSON_TYPE, body };
  }
  const tensors = { ...sent, ...lists };
  if (Object.keys(tensors).length === 0) return { target };
  return { target, type: SAFETENSORS_TYPE, body: writeSafetensors(tensors) };
}

interface BatchResponse {
  status: number;
  result?: {
    tensors: { name: string; dtype: string; shape: number[]; data: string }[];
    facts: Record<string, number | string>;
    warnings?: string[];
  };
  problem?: object;
}

/** A posencd; see Options. */
export class Client extends Encodings {
  private readonly transport: Transport;

  constructor(options: Options = {}) {
    super();
    this.transport = new Transport(options);
  }

  protected override async call<Outputs extends string>(
    encoding: string,
    given: object,
    options?: CallOptions,
  ): Promise<Answer<Outputs>> {
    const answer = await this.transport.ask(requestOf(encoding, given, "safetensors"), options);
    return answerOf<Outputs>(answer.bytes);
  }

  private post(target: string, body: string, options?: CallOptions): Promise<Content> {
    return this.transport.ask({ target, type: JSON_TYPE, body }, options);
  }

  /**
   * Many answers at once, in order: batch([{encoding: "rope", parameters: {dim: 8, pos: "0:4"}}]). A
   * request that is refused has its RequestError in the list.
   */
  async batch<Requests extends readonly BatchRequest[] | readonly []>(
    requests: Requests,
    options?: CallOptions,
  ): Promise<Answers<Requests>> {
    const found: (Answer<string> | RequestError)[] = [];
    const items = requests.map(({ encoding, parameters }) => {
      const { texts, sent, lists } = divided(encoding, parameters as Parameters, { data: "base64" });
      return { encoding, params: { ...texts, ...written(sent, lists) } };
    });
    for (let first = 0; first < items.length; first += REQUESTS_MAX) {
      const body = JSON.stringify({ requests: items.slice(first, first + REQUESTS_MAX) });
      const answer = await this.post("/v1/batch?format=json", body, options);
      const { responses } = answer.json() as { responses: BatchResponse[] };
      found.push(...responses.map(({ status, result, problem }) =>
        result === undefined ? errorOf(status, problem ?? {}) : answerWith<string>(
          Object.fromEntries(result.tensors.map((one) => [one.name, tensorOf(one)])),
          result.facts, result.warnings ?? [])));
    }
    return found as unknown as Answers<Requests>;
  }

  /**
   * The bytes of an answer as they arrive, as a file of a format: stream("rope", {dim: 128, pos:
   * "0:1000000"}) is a safetensors file, which writeFile(path, stream) of node:fs/promises stores in Node.
   */
  async stream<Name extends EncodingName>(
    encoding: Name,
    parameters: ParametersOf[Name],
    options: StreamOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    return this.transport.stream(requestOf(encoding, parameters, options.format ?? "safetensors"), options);
  }

  /**
   * An answer that is read into typed arrays that are there already: fill("alibi", {heads: 1, len: 4096},
   * {bias}). The arrays have the dtypes and as many elements as the tensors, one for each.
   */
  async fill<Name extends EncodingName>(
    encoding: Name,
    parameters: ParametersOf[Name],
    arrays: { readonly [Output in OutputsOf[Name]]?: Elements },
    options: CallOptions = {},
  ): Promise<Answer<OutputsOf[Name]>> {
    const stream = await this.transport.stream(requestOf(encoding, parameters, "safetensors"), options);
    const { tensors, texts } = await fill(stream, arrays as Record<string, Elements>);
    return answerOfTexts(tensors, texts);
  }

  /** A PNG of an encoding's answer: picture("alibi", {heads: 8, len: 64}). */
  async picture<Name extends EncodingName>(
    encoding: Name,
    parameters: ParametersOf[Name],
    options?: CallOptions,
  ): Promise<Uint8Array> {
    return (await this.transport.ask(requestOf(encoding, parameters, "png"), options)).bytes;
  }

  /** An SVG with axes of an encoding's answer. */
  async figure<Name extends EncodingName>(
    encoding: Name,
    parameters: ParametersOf[Name],
    options?: CallOptions,
  ): Promise<string> {
    return (await this.transport.ask(requestOf(encoding, parameters, "svg"), options)).text();
  }

  private async list(target: string, member: string, options?: CallOptions) {
    const answer = await this.transport.ask({ target }, options);
    return (answer.json() as Record<string, Record<string, unknown>[]>)[member] ?? [];
  }

  /** Every encoding with its parameters and outputs. */
  async encodings(options?: CallOptions): Promise<readonly Record<string, unknown>[]> {
    return this.list("/v1/encodings", "encodings", options);
  }

  /** The published models whose positions are known. */
  async models(options?: CallOptions): Promise<readonly Record<string, unknown>[]> {
    return this.list("/v1/models", "models", options);
  }

  /** One model: its facts, and for each use of an encoding parameters and URLs. */
  async model(name: string, options?: CallOptions): Promise<Model> {
    return (await this.transport.ask({ target: modelPath(name) }, options)).json() as Model;
  }

  /** What a Hugging Face config.json means: an object, or where the file is. */
  async resolve(config: Config, options?: CallOptions): Promise<Model> {
    return (await this.post("/v1/models/resolve", await configText(config), options)).json() as Model;
  }

  /**
   * The tables of a published model, by its name, or of a config.json: an object, the path of a file, which
   * ends with .json, or a URL, of the file or of its folder. One answer for each use of an encoding. Those of a
   * model are without masks, unless `masks` says otherwise.
   */
  async tables(
    model: Config,
    more: Record<string, Given> = {},
    options?: CallOptions,
  ): Promise<Answer<string>[]> {
    if (typeof model === "string" && !isPath(model)) return this.tablesOf(model, more, options);
    const { uses } = await this.resolve(model, options);
    const calls = uses.flatMap(({ encoding, parameters }) => encoding !== null && parameters
      ? [this.call<string>(encoding, { ...parameters, ...more }, options)] : []);
    return Promise.all(calls);
  }

  private async tablesOf(name: string, more: Record<string, Given>, options?: CallOptions) {
    const kinds = Object.assign({}, ...Object.values(KINDS)) as Record<string, string>;
    const texts = Object.entries(more).map(([key, value]): [string, string] =>
      [key, textOf(kinds[key] ?? "word", value)]);
    const query = queryOf({ masks: "none", ...Object.fromEntries(texts) });
    const answer = await this.transport.ask({ target: `${modelPath(name)}/tables?${query}` }, options);
    const { tensors, texts: said } = readSafetensors(answer.bytes);
    const groups: Record<string, Record<string, Tensor>> = {};
    for (const [full, tensor] of Object.entries(tensors)) {
      const at = full.lastIndexOf(".");
      (groups[full.slice(0, at)] ??= {})[full.slice(at + 1)] = tensor;
    }
    const order = Object.keys(JSON.parse(said["parameters"] ?? "{}") as object);
    return order.flatMap((use) => {
      const found = groups[use];
      return found === undefined ? [] : [answerWith<string>(found, {}, [])];
    });
  }

  /** What is right or wrong with numbers; without a claim they are identified. */
  async verify(
    tensors: Record<string, Vectors>,
    claim: Record<string, Given> = {},
    options?: CallOptions,
  ): Promise<Record<string, unknown>> {
    const kinds = KINDS[String(claim["encoding"])] ?? {};
    const texts = Object.fromEntries(Object.entries(claim).map(([name, value]) =>
      [name, textOf(kinds[name] ?? "word", value)]));
    const beside = movedOf(texts);
    const answer = await this.transport.ask({
      target: `/v1/verify?${queryOf(texts)}`,
      type: SAFETENSORS_TYPE,
      body: writeSafetensors(tensors, beside),
    }, options);
    return answer.json() as Record<string, unknown>;
  }
}

/** Takes the longest texts of a claim, until the others fit into a query; they are the claim in the
 * metadata of a file. */
function movedOf(texts: Record<string, string>): Record<string, string> | undefined {
  const moved: Record<string, string> = {};
  while (queryOf(texts).length > LONGEST_TARGET) {
    const names = Object.keys(texts);
    const longest = names.reduce((a, b) => (texts[b]!.length > texts[a]!.length ? b : a));
    moved[longest] = texts[longest]!;
    delete texts[longest];
  }
  if (!Object.keys(moved).length) return undefined;
  const { config, ...others } = moved;
  return { claim: queryOf(others), ...(config === undefined ? {} : { config }) };
}

function modelPath(name: string): string {
  return `/v1/models/${name.split("/").map(encodeURIComponent).join("/")}`;
}
