// SPDX-License-Identifier: Apache-2.0
// query.js - queries of the API, and the part of a URL that no parameter is.

const keep = /%(?:2C|3A|3B|2F|40)/g;

/** The text of a query; characters that may stand unescaped stay readable, but for the quote, which
 * ends a word of a shell. */
export function writeQuery(params) {
  return Object.entries(params)
    .map(
      ([name, value]) =>
        `${name}=${encodeURIComponent(value).replace(keep, decodeURIComponent)}`,
    )
    .join('&')
    .replaceAll("'", '%27');
}

/** A text without its escapes; where one is none, as in "100%", the text stands for itself. */
function plain(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The parameters of a query, without its question mark. */
export function readQuery(text) {
  const params = {};
  for (const part of (text ?? '').split('&')) {
    const equals = part.indexOf('=');
    if (part)
      params[equals < 0 ? part : part.slice(0, equals)] =
        equals < 0 ? '' : plain(part.slice(equals + 1).replace(/\+/g, ' '));
  }
  return params;
}

/** {name, params} of "rope?dim=64" or "/v1/rope?dim=64". */
export function readRequest(text) {
  const [path, ...rest] = text.replace(/^\/v1\//, '').split('?');
  return { name: path, params: readQuery(rest.join('?')) };
}

/** The state behind #: words of the page, and last vs=, the other request, to the end. */
export function readFragment(text) {
  const found = /(?:^#?|&)vs=(.*)$/.exec(text);
  const state = readQuery((found ? text.slice(0, found.index) : text).replace(/^#/, ''));
  return found ? { ...state, vs: found[1] } : state;
}

export function writeFragment(state) {
  const { vs, ...words } = state;
  const parts = [
    writeQuery(Object.fromEntries(Object.entries(words).filter(([, value]) => value))),
  ];
  if (vs) parts.push(`vs=${vs}`);
  const text = parts.filter(Boolean).join('&');
  return text ? `#${text}` : '';
}

/** The numbers that a slice or a list names: "0:128:4", "5,9,12". At most a million. */
export function positionsOf(text) {
  const found = [];
  for (const item of String(text).split(',')) {
    const [first, end, step = '1'] = item.split(':').map((part) => part.trim());
    if (end === undefined) found.push(Number(first));
    else
      for (
        let at = Number(first || 0);
        at < Number(end) && found.length < 1e6;
        at += Number(step) || 1
      )
        found.push(at);
  }
  return found;
}
