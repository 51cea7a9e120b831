// SPDX-License-Identifier: Apache-2.0
// words.js - the words of figures in the language of the page, which a page in another one than
// English has in an element of its own (docs/learn/zh/words.tsv).

let words;

/** A text in the language of the page, whose holes {} are filled by the values. */
export function word(text, ...values) {
  words ??= JSON.parse(document.getElementById('words')?.dataset.words ?? '{}');
  let at = 0;
  return (words[text] ?? text).replaceAll('{}', () => values[at++]);
}
