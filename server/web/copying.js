// SPDX-License-Identifier: Apache-2.0
// copying.js - copies a text to the clipboard, and says so on the button; and what a copied formula
// is as text.

import { element } from './element.js';

const SHOWN = 1200; // milliseconds

/** Copies the text; where that is refused, selects the element that has it: a function gives it. */
export async function copyText(button, text, shown) {
  const label = (button.dataset.label ??= button.textContent);
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    getSelection().selectAllChildren(shown());
    button.textContent = 'Selected';
  }
  setTimeout(() => {
    button.textContent = label;
  }, SHOWN);
}

/** The text of what is selected, in which each formula is on its own lines as the page has them; a
 * browser would write each letter of it on a line. Null: it has no formula. */
function textWithFormulas(range) {
  const { commonAncestorContainer: around } = range;
  const part = range.cloneContents();
  const inside = (around.closest ? around : around.parentNode).closest('.formula');
  if (inside) return part.textContent;
  const formulas = part.querySelectorAll('.formula');
  if (formulas.length === 0) return null;
  for (const formula of formulas) formula.replaceChildren(formula.textContent);
  const shown = element('div.skip', {}, part);
  document.body.append(shown);
  const text = shown.innerText;
  shown.remove();
  return text;
}

/** Has formulas copied as the text that they were typeset from. */
export function copyFormulas() {
  document.addEventListener('copy', (event) => {
    const selection = getSelection();
    const text = selection.isCollapsed ? null : textWithFormulas(selection.getRangeAt(0));
    if (text === null) return;
    event.clipboardData.setData('text/plain', text);
    event.preventDefault();
  });
}
