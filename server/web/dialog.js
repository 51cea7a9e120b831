// SPDX-License-Identifier: Apache-2.0
// dialog.js - a modal dialog; the list of keys, and the question for an API key.

import { element } from './element.js';
import { keep, kept } from './site.js';

const KEYS = [
  ['/', 'find an encoding, a model, a parameter, a mistake'],
  ['?', 'this list'],
  ['c', 'compare the request with itself, or end the comparison'],
  ['x', 'swap A and B'],
  ['[  ]', 'output before, after'],
  ['t', 'light or dark'],
  ['y', 'copy the curl line'],
  ['Arrows', 'move the cross hair; with Shift by ten'],
  ['Esc', 'close'],
];

/** A modal dialog with this content, which is removed when it closes. */
export function openDialog(label, classes, ...content) {
  const dialog = element(
    `dialog${classes}`,
    {
      'aria-label': label,
      onclose: () => dialog.remove(),
      onclick: (event) => event.target === dialog && dialog.close(),
    },
    element('div.inside', {}, content),
  );
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

export function openKeys() {
  openDialog(
    'Keys',
    '.keys',
    element('h2', {}, 'Keys'),
    element(
      'dl',
      {},
      KEYS.map(([key, text]) =>
        element('div', {}, element('dt', {}, element('kbd', {}, key)), element('dd', {}, text)),
      ),
    ),
    element(
      'label.row',
      {},
      element('input', {
        type: 'checkbox',
        checked: kept('keys') !== 'off',
        onchange: (event) => keep('keys', event.target.checked ? 'on' : 'off'),
      }),
      'Keys of one letter work on these pages',
    ),
  );
}

/** A promise of the key that the reader types. It is kept in memory only. */
export function askForKey(refused) {
  return new Promise((resolve) => {
    const input = element('input', {
      type: 'password',
      'aria-label': 'API key',
      autocomplete: 'off',
      required: true,
    });
    const dialog = openDialog(
      'API key',
      '.key',
      element(
        'form',
        { method: 'dialog', onsubmit: () => resolve(input.value.trim()) },
        element('h2', {}, 'This service needs a key'),
        element(
          'p',
          {},
          refused
            ? 'That key is none of this service’s. Try another one.'
            : 'It is kept in the memory of this page until you leave, and sent nowhere else.',
        ),
        element('div.row', {}, input, element('button', { type: 'submit' }, 'Use it')),
      ),
    );
    dialog.addEventListener('cancel', (event) => event.preventDefault());
  });
}
