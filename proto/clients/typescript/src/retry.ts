// SPDX-License-Identifier: Apache-2.0
// retry.ts - when a request is sent again. Every request is a pure function of what is sent, so that all
// of them may be.
import { reasonOf } from "./errors.js";

const LONGEST_WAIT = 30000; // milliseconds that Retry-After may ask for, and that the random part may have
const FIRST_WAIT = 200; // milliseconds, of which a random part is waited; twice as many each time, up to LONGEST_WAIT
const STATUSES = [429, 502, 503, 504]; // overloaded, or a proxy whose service starts again
const CODES = ["ECONNREFUSED", "ECONNRESET", "EPIPE", "UND_ERR_SOCKET"];

/** Whether another attempt may have another answer than one of that status. */
export function isPassing(status: number): boolean {
  return STATUSES.includes(status);
}

/** Whether a connection was refused or reset; a browser says no more than that there was none. */
export function isDisconnected(why: unknown): boolean {
  const { code, inner } = reasonOf(why);
  return inner ? CODES.includes(code) : why instanceof TypeError;
}

/** The milliseconds before the next attempt: those that the service asks for, and a random part of a time
 * that doubles, so that clients that were refused together do not come back together. */
export function waitOf(tried: number, asked: string | null): number {
  const seconds = Number(asked ?? "0");
  const date = Number.isNaN(seconds) ? Date.parse(asked ?? "") - Date.now() : seconds * 1000;
  const least = Math.min(LONGEST_WAIT, Math.max(0, Number.isNaN(date) ? 0 : date));
  return least + Math.random() * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** tried);
}

/** Waits, unless the signal ends it. */
export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
