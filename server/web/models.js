// SPDX-License-Identifier: Apache-2.0
// models.js - the list of models: words that a model must have, and the order of the families and of
// the models in each. Both stand in the fragment of the address.

import { element } from './element.js';
import { count } from './number.js';
import { readFragment, writeFragment } from './query.js';

const ORDERS = [
  ['', 'by family'],
  ['models', 'most models first'],
  ['context', 'longest context first'],
  ['layers', 'most layers first'],
];
const CELLS = { context: 0, layers: 1 }; // among the numbers of a row

const wordsOf = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);
const numberOf = (row, cell) => Number(row.querySelectorAll('.number')[cell].textContent);

/** A family: its row elements with their text, and how large it is in each order. */
function groupOf(node) {
  const title = node.querySelector('summary').textContent;
  const rows = [...node.querySelectorAll('tbody tr')].map((row) => ({
    row,
    text: `${title} ${row.textContent} ${row.querySelector('a').href}`.toLowerCase(),
  }));
  return { node, rows, number: node.querySelector('summary span') };
}

/** Hides what has not all of the words, and opens the families of what has. The number that stay. */
function filter(groups, text) {
  const asked = wordsOf(text);
  let total = 0;
  for (const { node, rows, number } of groups) {
    let stay = 0;
    for (const one of rows) {
      one.row.hidden = !asked.every((word) => one.text.includes(word));
      stay += one.row.hidden ? 0 : 1;
    }
    node.hidden = stay === 0;
    node.open = asked.length > 0 && stay > 0;
    number.textContent = stay === rows.length ? stay : `${stay} of ${rows.length}`;
    total += stay;
  }
  return total;
}

/** Puts families, and the models of each, in an order; in that of the document without a name. */
function arrange(groups, name) {
  const cell = CELLS[name];
  const sizeOf = (group) =>
    cell === undefined
      ? group.rows.length
      : Math.max(...group.rows.map(({ row }) => numberOf(row, cell)));
  const sorted = (list, of) => [...list].sort((a, b) => of(b) - of(a));
  const place = groups[0].node.parentNode;
  place.append(...(name ? sorted(groups, sizeOf) : groups).map(({ node }) => node));
  for (const { node, rows } of groups) {
    const ordered = cell === undefined ? rows : sorted(rows, ({ row }) => numberOf(row, cell));
    node.querySelector('tbody').append(...ordered.map(({ row }) => row));
  }
}

export function models(main) {
  const groups = [...main.querySelectorAll('.group')].map(groupOf);
  const all = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  const total = main.querySelector('.total');
  const state = readFragment(location.hash);
  const input = element('input', {
    type: 'search',
    value: state.find,
    placeholder: 'A name, an organisation, an encoding',
    'aria-label': 'Models that have these words',
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: () => narrow(),
  });
  const select = element(
    'select',
    { 'aria-label': 'order', onchange: () => order() },
    ORDERS.map(([value, text]) =>
      element('option', { value, selected: value === state.order }, text),
    ),
  );
  const keep = () => {
    const address = writeFragment({ find: input.value.trim(), order: select.value });
    history.replaceState(null, '', location.pathname + address);
  };
  const narrow = () => {
    const found = filter(groups, input.value);
    total.textContent = found === all ? `${count(all)} models.` : `${count(found)} of ${count(all)} models.`;
    keep();
  };
  const order = () => {
    arrange(groups, select.value);
    keep();
  };
  total.setAttribute('aria-live', 'polite');
  const place = main.querySelector('.narrow');
  place.setAttribute('role', 'search');
  place.append(input, select);
  narrow();
  order();
}
