// SPDX-License-Identifier: Apache-2.0
// sentence.js - words whose order one changes, and what a position adds to each pair of them.

import { element, tableHead } from './element.js';
import { brief } from './number.js';
import { word as translated } from './words.js';

/** Moves a word by one place: the new order. */
function moved(order, place, by) {
  const next = [...order];
  [next[place], next[place + by]] = [next[place + by], next[place]];
  return next;
}

function wordButton(word, place, order, reorder) {
  const step = (text, by) =>
    element(
      'button.quiet',
      {
        type: 'button',
        'aria-label': translated(text, word),
        disabled: place + by < 0 || place + by >= order.length,
        onclick: () => reorder(moved(order, place, by), place + by),
      },
      by < 0 ? '‹' : '›',
    );
  return element('span.word', {}, step('{}: earlier', -1), element('b', {}, word), step('{}: later', 1));
}

/** words: as they were; order: the word of each place; reorder(order, place) is called for a move.
 * The tensor has a number for each pair of places; the table has it for each pair of words. */
export function sentence({ shape, data }, words, order, reorder) {
  const n = shape.at(-1);
  const placeOf = words.map((_, word) => order.indexOf(word));
  return element(
    'div',
    {},
    element(
      'div.row.words',
      { role: 'group' },
      order.map((word, place) => wordButton(words[word], place, order, reorder)),
    ),
    element(
      'div.scroll',
      { tabindex: 0, role: 'region', 'aria-label': words.join(' ') },
      element(
        'table.cells',
        {},
        tableHead([null, ...words]),
        element(
          'tbody',
          {},
          words.map((word, i) =>
            element(
              'tr',
              {},
              element('th', { scope: 'row' }, word),
              words.map((_, j) => {
                const value = data[placeOf[i] * n + placeOf[j]];
                const share = `${Math.min(42, Math.abs(value) * 10)}%`;
                return element('td.less', { style: { '--share': share } }, brief(value, 3));
              }),
            ),
          ),
        ),
      ),
    ),
  );
}
