// SPDX-License-Identifier: Apache-2.0
// copying.js - copies a text to the clipboard, and says so on the button.

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
