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
  /** The problem's path in the documentation, /problems/invalid-parameter; empty where it says none. */
  readonly kind: string;
  /** The name of the request in the service's log; empty where there is none. */
  readonly requestId: string;

  constructor(status: number, title: string, problems: readonly Problem[], kind = "", requestId = "") {
    const said = problems.map((one) => `${one.parameter} ${one.detail}`.trim() +
      (one.hint ? ` (${one.hint})` : ""));
    super(said.join("; ") || title);
    this.name = "RequestError";
    this.status = status;
    this.title = title;
    this.problems = problems;
    this.kind = kind;
    this.requestId = requestId;
  }
}

/** The service could not be reached, was too slow, or answered what this package cannot read. */
export class ServiceError extends PosencError {
  constructor(message: string, cause?: unknown) {
    super(cause === undefined ? message : withCause(message, cause), { cause });
    this.name = "ServiceError";
  }
}

/** A message that ends with what its cause says. */
function withCause(message: string, cause: unknown): string {
  const { text } = reasonOf(cause);
  return message.includes(text) ? message : `${message}: ${text}`;
}

/** What an error says, of the innermost cause: fetch hides there that a connection was refused. */
export function reasonOf(why: unknown): { text: string; code: string; inner: boolean } {
  let found = typeof why === "object" && why !== null ? why : { message: String(why) };
  let inner = false;
  for (;;) {
    const { cause, errors } = found as { cause?: unknown; errors?: unknown[] };
    const next = cause ?? errors?.[0];
    if (next === undefined || next === null || typeof next !== "object") break;
    found = next;
    inner = true;
  }
  const { message, code } = found as { message?: string; code?: unknown };
  const name = typeof code === "string" ? code : "";
  return { text: message || name || String(found), code: name, inner };
}

interface Body {
  type?: string;
  request_id?: string;
  title?: string;
  detail?: string;
  errors?: unknown;
}

interface Fault {
  parameter?: string;
  pointer?: string;
  detail: string;
  hint?: string;
}

function isFault(one: unknown): one is Fault {
  return typeof (one as Partial<Fault> | null)?.detail === "string";
}

/** The error that an RFC 9457 problem says. Where a gateway wrote it, `errors` may be anything. */
export function errorOf(status: number, body: Body): RequestError {
  const problems = (Array.isArray(body.errors) ? body.errors : []).filter(isFault).map((one) => ({
    parameter: one.parameter ?? one.pointer ?? "",
    detail: one.detail,
    hint: one.hint ?? "",
  }));
  if (problems.length === 0 && body.detail !== undefined) {
    problems.push({ parameter: "", detail: body.detail, hint: "" });
  }
  return new RequestError(status, body.title ?? "", problems, body.type, body.request_id);
}
