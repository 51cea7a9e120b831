// SPDX-License-Identifier: Apache-2.0
// client.ts - a service as an object: every encoding is a method of it (encodings.ts).
import { Encodings, KINDS } from "./encodings.js";
import { errorOf } from "./errors.js";
import type { RequestError } from "./errors.js";
import { dtypeOf, floats, readSafetensors, tensorOf, writeSafetensors } from "./tensor.js";
import type { Tensor, Vectors } from "./tensor.js";
import { Transport } from "./transport.js";
import type { Content, Options } from "./transport.js";
import { isVectors, queryOf, textOf } from "./values.js";
import type { Given } from "./values.js";

const REQUESTS_MAX = 1000; // of one batch; longer lists are sent in several
const LONGEST_TARGET = 4000; // bytes of a target; longer requests are posted

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
export interface BatchRequest {
  readonly encoding: string;
  readonly parameters: Readonly<Record<string, Given | undefined>>;
}

function answerOf<Outputs extends string>(file: Uint8Array): Answer<Outputs> {
  const { tensors, texts } = readSafetensors(file);
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

/** Tensors as JSON, for a request whose other parameters fill no query; all have one dtype. */
function written(sent: Record<string, Vectors>): object {
  const dtypes = [...new Set(Object.values(sent).map(dtypeOf))];
  if (dtypes.length > 1) {
    throw new RangeError(`tensors beside many positions have one dtype; got ${dtypes.join(", ")}`);
  }
  const members = Object.entries(sent).map(([name, one]): [string, object] => {
    const tensor = { dtype: dtypeOf(one), shape: one.shape, data: one.data };
    const numbers = tensor.dtype === "f64" ? [...(one.data as Float64Array)] : [...floats(tensor)];
    return [name, { shape: one.shape, data: numbers }];
  });
  return { ...Object.fromEntries(members), ...(dtypes[0] ? { in_dtype: dtypes[0] } : {}) };
}

/** The parameters as texts, and those that are tensors. */
function divided(
  encoding: string,
  given: Readonly<Record<string, Given | undefined>>,
  texts: Record<string, string>,
): { texts: Record<string, string>; sent: Record<string, Vectors> } {
  const kinds = KINDS[encoding];
  if (kinds === undefined) throw new RangeError(`there is no encoding ${encoding}`);
  const sent: Record<string, Vectors> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (isVectors(value)) sent[name] = value;
    else texts[name] = textOf(kinds[name] ?? "word", value);
  }
  return { texts, sent };
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
  ): Promise<Answer<Outputs>> {
    const answer = await this.send(encoding, given as Record<string, Given | undefined>, "safetensors");
    return answerOf<Outputs>(answer.bytes);
  }

  private async send(
    encoding: string,
    given: Record<string, Given | undefined>,
    format: string,
  ): Promise<Content> {
    const { texts, sent } = divided(encoding, given, { format });
    const target = `/v1/${encoding}?${queryOf(texts)}`;
    if (Object.keys(sent).length > 0 && target.length <= LONGEST_TARGET) {
      return this.transport.ask(target, "application/x-safetensors", writeSafetensors(sent));
    }
    if (target.length <= LONGEST_TARGET) return this.transport.ask(target);
    const body = JSON.stringify({ ...texts, ...written(sent) });
    return this.transport.ask(`/v1/${encoding}`, "application/json", body);
  }

  /**
   * Many answers at once, in order: batch([{encoding: "rope", parameters: {dim: 8, pos: "0:4"}}]). A
   * request that is refused has its RequestError in the list.
   */
  async batch(requests: readonly BatchRequest[]): Promise<(Answer<string> | RequestError)[]> {
    const found: (Answer<string> | RequestError)[] = [];
    const items = requests.map(({ encoding, parameters }) => {
      const { texts, sent } = divided(encoding, parameters, { data: "base64" });
      return { encoding, params: { ...texts, ...written(sent) } };
    });
    for (let first = 0; first < items.length; first += REQUESTS_MAX) {
      const body = JSON.stringify({ requests: items.slice(first, first + REQUESTS_MAX) });
      const answer = await this.transport.ask("/v1/batch?format=json", "application/json", body);
      const { responses } = answer.json() as { responses: BatchResponse[] };
      found.push(...responses.map(({ status, result, problem }) =>
        result === undefined ? errorOf(status, problem ?? {}) : answerWith<string>(
          Object.fromEntries(result.tensors.map((one) => [one.name, tensorOf(one)])),
          result.facts, result.warnings ?? [])));
    }
    return found;
  }

  /** A PNG of an encoding's answer: picture("alibi", {heads: 8, len: 64}). */
  async picture(encoding: string, parameters: Record<string, Given>): Promise<Uint8Array> {
    return (await this.send(encoding, parameters, "png")).bytes;
  }

  /** An SVG with axes of an encoding's answer. */
  async figure(encoding: string, parameters: Record<string, Given>): Promise<string> {
    return (await this.send(encoding, parameters, "svg")).text();
  }

  /** Every encoding with its parameters and outputs. */
  async encodings(): Promise<readonly Record<string, unknown>[]> {
    const answer = await this.transport.ask("/v1/encodings");
    return (answer.json() as { encodings: Record<string, unknown>[] }).encodings;
  }

  /** The published models whose positions are known. */
  async models(): Promise<readonly Record<string, unknown>[]> {
    const answer = await this.transport.ask("/v1/models");
    return (answer.json() as { models: Record<string, unknown>[] }).models;
  }

  /** One model: its facts, and for each use of an encoding parameters and URLs. */
  async model(name: string): Promise<Model> {
    const path = name.split("/").map(encodeURIComponent).join("/");
    return (await this.transport.ask(`/v1/models/${path}`)).json() as Model;
  }

  /** What a Hugging Face config.json means. */
  async resolve(config: object): Promise<Model> {
    const body = JSON.stringify(config);
    const answer = await this.transport.ask("/v1/models/resolve", "application/json", body);
    return answer.json() as Model;
  }

  /** The tables that a config.json means, one answer for each use of an encoding. */
  async tables(config: object, more: Record<string, Given> = {}): Promise<Answer<string>[]> {
    const { uses } = await this.resolve(config);
    const calls = uses.flatMap(({ encoding, parameters }) =>
      encoding !== null && parameters ? [this.call<string>(encoding, { ...parameters, ...more })] : []);
    return Promise.all(calls);
  }

  /** What is right or wrong with numbers; without a claim they are identified. */
  async verify(
    tensors: Record<string, Vectors>,
    claim: Record<string, Given> = {},
  ): Promise<Record<string, unknown>> {
    const kinds = KINDS[String(claim["encoding"])] ?? {};
    const texts = Object.entries(claim).map(([name, value]): [string, string] =>
      [name, textOf(kinds[name] ?? "word", value)]);
    const answer = await this.transport.ask(`/v1/verify?${queryOf(Object.fromEntries(texts))}`,
      "application/x-safetensors", writeSafetensors(tensors));
    return answer.json() as Record<string, unknown>;
  }
}
