// SPDX-License-Identifier: Apache-2.0
// errors.ts - what can go wrong: a request that is refused, and a service that does not answer.

/** One thing that is wrong with a request, and what would be right. */
export interface Problem {
  /** A parameter's name, or a JSON pointer into a body; empty where it is no single one. */
  readonly parameter: string;
  readonly detail: string;
  readonly hint: string;
}

/** The base of all errors of this package. */
export class PosencError extends Error {}

/** A request that was refused. `problems` has everything that is wrong with it. */
export class RequestError extends PosencError {
  readonly status: number;
  readonly title: string;
  readonly problems: readonly Problem[];

  constructor(status: number, title: string, problems: readonly Problem[]) {
    const said = problems.map((one) => `${one.parameter} ${one.detail}`.trim() +
      (one.hint ? ` (${one.hint})` : ""));
    super(said.join("; ") || title);
    this.name = "RequestError";
    this.status = status;
    this.title = title;
    this.problems = problems;
  }
}

/** The service could not be reached, was too slow, or answered what this package cannot read. */
export class ServiceError extends PosencError {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "ServiceError";
  }
}

interface Body {
  title?: string;
  detail?: string;
  errors?: { parameter?: string; pointer?: string; detail: string; hint?: string }[];
}

/** The error that an RFC 9457 problem says. */
export function errorOf(status: number, body: Body): RequestError {
  const problems = (body.errors ?? []).map((one) => ({
    parameter: one.parameter ?? one.pointer ?? "",
    detail: one.detail,
    hint: one.hint ?? "",
  }));
  if (problems.length === 0 && body.detail !== undefined) {
    problems.push({ parameter: "", detail: body.detail, hint: "" });
  }
  return new RequestError(status, body.title ?? "", problems);
}
