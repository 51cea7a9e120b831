// SPDX-License-Identifier: Apache-2.0
// dialog.js - the dialogs of every page: the picker of encodings and models, the list of keys,
// and the question for an API key.

import { element } from './element.js';
import { documentAt } from './service.js';
import { prefix } from './site.js';

const KEYS = [
  ['/', 'find an encoding or a model'],
  ['?', 'this list'],
  ['c', 'compare, or end the comparison'],
  ['x', 'swap A and B'],
  ['[  ]', 'output before, after'],
  ['t', 'light or dark'],
  ['y', 'copy the curl line'],
  ['Arrows', 'move the cross hair; with Shift by ten'],
  ['Esc', 'close'],
];

/** A modal dialog with this content, which is removed when it closes. */
function open(label, classes, ...content) {
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
  open(
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
    const dialog = open(
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

/** How well an entry fits the words: 0 best; Infinity: not at all. */
function fit(entry, words) {
  if (!words.every((word) => entry.text.includes(word))) return Infinity;
  if (words.length === 0) return 0;
  return entry.name.startsWith(words[0])
    ? 0
    : words.some((word) => entry.name.includes(word))
      ? 1
      : 2;
}

async function entries() {
  const [{ encodings }, { models }] = await Promise.all([
    documentAt('/v1/encodings?fields=name,family,title,summary,source'),
    documentAt('/v1/models?fields=id,name,organisation,family'),
  ]);
  return [
    ...encodings
      .filter((one) => !one.name.endsWith('/apply'))
      .map((one) => ({
        name: one.name,
        group: one.family,
        title: one.summary,
        text: `${one.name} ${one.title} ${one.summary} ${one.family} ${one.source}`.toLowerCase(),
        href: `${prefix}/explore/${one.name}`,
      })),
    ...models.map((one) => ({
      name: one.id,
      group: 'models',
      title: `${one.name} · ${one.organisation}`,
      text: `${one.id} ${one.name} ${one.organisation} ${one.family}`.toLowerCase(),
      href: `${prefix}/models/${one.id}`,
    })),
  ];
}

/** Groups in the order of their best entry. */
function groupsOf(all, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean),
    groups = new Map();
  const found = all
    .map((entry) => [fit(entry, words), entry])
    .filter(([rank]) => rank < Infinity)
    .sort((a, b) => (words.length ? a[0] - b[0] : 0));
  for (const [, entry] of found)
    groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry]);
  return groups;
}

/** Opens the picker, with this text in its box. */
export async function openPicker(text = '') {
  const list = element('div.found'),
    input = element('input', {
      type: 'search',
      placeholder: 'Search encodings and models',
      'aria-label': 'Search encodings and models',
      autocomplete: 'off',
      spellcheck: 'false',
    });
  input.value = text;
  const dialog = open('Choose an encoding or a model', '.picker', input, list);
  const all = await entries();
  const show = () => {
    const groups = [...groupsOf(all, input.value)];
    list.replaceChildren(
      ...groups.map(([group, members]) =>
        element(
          'section',
          {},
          element('h2', {}, group),
          members.map((one) =>
            element(
              'a',
              { href: one.href },
              element('b', {}, one.name),
              element('span', {}, one.title),
            ),
          ),
        ),
      ),
    );
    if (!groups.length)
      list.replaceChildren(element('p', {}, 'No name, title or source has these words.'));
  };
  input.addEventListener('input', show);
  dialog.addEventListener('keydown', (event) => {
    const links = [...list.querySelectorAll('a')],
      at = links.indexOf(document.activeElement);
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) {
      event.preventDefault();
      (links[at + by] ?? input).focus();
    } else if (event.key === 'Enter' && at < 0) links[0]?.click();
  });
  show();
}
