// SPDX-License-Identifier: Apache-2.0
// finding.js - a box that leaves of a long document what has the words typed into it: rows of tables,
// paragraphs and lists, below the headings that they have.

import { element } from './element.js';
import { count } from './number.js';

const LEAST = 6; // headings of a document that has the box
const MARK = 'found'; // the name of the highlight

const isHeading = (node) => /^H[23]$/.test(node.tagName);

/** The parts that are shown or not: rows in place of a table, terms with what they mean. */
function partsOf(block) {
  const rows = [...block.querySelectorAll('tbody tr')];
  if (rows.length) return rows.map((row) => [row]);
  const terms = [...block.querySelectorAll(':scope > dt')];
  if (terms.length)
    return terms.map((term) =>
      term.nextElementSibling?.tagName === 'DD' ? [term, term.nextElementSibling] : [term],
    );
  return [[block]];
}

/** [{node, parts}] of an article, from its first heading of a section on. */
function blocksOf(article) {
  const all = [...article.querySelectorAll(':scope > *, :scope > section:has(> h2) > *')];
  const nodes = all.filter((node) => !node.matches('section:has(> h2)'));
  return nodes.slice(nodes.findIndex(isHeading)).map((node) => ({
    node,
    parts: partsOf(node).map((nodes) => ({
      nodes,
      text: nodes.map((one) => one.textContent).join(' ').toLowerCase(),
    })),
  }));
}

/** Marks the words in what is shown, where the browser can without changing the document. */
function mark(nodes, words) {
  if (!globalThis.Highlight) return;
  const ranges = [];
  for (const node of nodes) {
    const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    while (texts.nextNode())
      for (const word of words) {
        const text = texts.currentNode.data.toLowerCase();
        for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
          const range = new Range();
          range.setStart(texts.currentNode, at);
          range.setEnd(texts.currentNode, at + word.length);
          ranges.push(range);
        }
      }
  }
  CSS.highlights.set(MARK, new Highlight(...ranges));
}

/** Shows what has all words, and the headings above it; all of the document without words. The
 * parts that have them. */
function narrow(blocks, words) {
  const found = [];
  const heads = { H2: null, H3: null };
  for (const { node, parts } of blocks) {
    if (isHeading(node)) {
      node.hidden = words.length > 0;
      heads[node.tagName] = node;
      if (node.tagName === 'H2') heads.H3 = null;
    }
    const has = parts.filter((part) => words.every((word) => part.text.includes(word)));
    for (const { nodes } of parts) for (const one of nodes) one.hidden = true;
    for (const { nodes } of has) for (const one of nodes) one.hidden = false;
    node.hidden = has.length === 0;
    if (!has.length) continue;
    found.push(...has.flatMap(({ nodes }) => nodes));
    for (const head of Object.values(heads)) if (head) head.hidden = false;
  }
  return found;
}

/** Puts the box above the first section of a document that has several. */
export function finding(main) {
  const article = main.querySelector('article');
  const first = article?.querySelector('h2');
  if (!first || article.querySelectorAll('h2, h3').length < LEAST) return;
  const blocks = blocksOf(article);
  const before = [...article.querySelectorAll(':scope > :is(.toc, figure)')].filter(
    (node) => node.compareDocumentPosition(first) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
  const told = element('p.total', { 'aria-live': 'polite' });
  const input = element('input', {
    type: 'search',
    placeholder: 'Find in this document',
    'aria-label': 'Find in this document',
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      const found = narrow(blocks, words);
      for (const node of before) node.hidden = words.length > 0;
      const places = found.length === 1 ? '1 place' : `${count(found.length)} places`;
      told.textContent = words.length ? `${places} with ${input.value.trim()}` : '';
      mark(words.length ? found : [], words);
    },
  });
  const place = article.querySelector('.narrow') ?? element('div.row.narrow');
  place.setAttribute('role', 'search');
  place.append(input, told);
  if (!place.isConnected) (before[0] ?? first.closest('section') ?? first).before(place);
}
