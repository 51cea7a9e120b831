// SPDX-License-Identifier: Apache-2.0
// condition.js - the condition of the schema under which a parameter has an effect.

/** Whether a condition holds: "a&b=c|d,!e". A comma joins alternatives. */
export function holds(condition, valueOf) {
  if (!condition) return true;
  return condition.split(',').some((all) =>
    all.split('&').every((term) => {
      const [, not, name, values] = /^(!?)([^=]+)(?:=(.*))?$/.exec(term);
      const value = valueOf(name);
      const met =
        values === undefined
          ? value !== undefined && value !== '' && !/^(0|false)$/.test(value)
          : values.split('|').includes(String(value));
      return met !== (not === '!');
    }),
  );
}
