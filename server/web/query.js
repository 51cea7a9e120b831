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

// The words of a page that stand in its query, so that a preview of a link has them: no parameter has
// such a name.
const WORDS = ['view', 'pal', 'vs'];

/** {params, words} of the page's address: those of the request, and those of the page. An old
 * address has them all behind #, and last vs=, the other request, to the end. */
export function readPage({ search, hash }) {
  const params = readQuery(search.slice(1));
  const found = /(?:^#?|&)vs=(.*)$/.exec(hash);
  const words = readFragment(found ? hash.slice(0, found.index) : hash);
  if (found) words.vs = found[1];
  for (const name of WORDS)
    if (name in params) {
      words[name] = params[name];
      delete params[name];
    }
  return { params, words };
}

/** The address of a request's page, below /: {vs: the other request's text, view, pal}. */
export function explorerAt(name, params, words = {}) {
  const said = WORDS.filter((word) => words[word]).map((word) => [word, words[word]]);
  const query = writeQuery({ ...params, ...Object.fromEntries(said) });
  return `/explore/${name}${query ? `?${query}` : ''}`;
}

/** The words of a page behind #. */
export const readFragment = (text) => readQuery(text.replace(/^#/, ''));

export function writeFragment(words) {
  const text = writeQuery(
    Object.fromEntries(Object.entries(words).filter(([, value]) => value)),
  );
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
