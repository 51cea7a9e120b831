// SPDX-License-Identifier: Apache-2.0
// header.js - what the header of every page has only with a script: the picker and the theme;
// and the keys of every page.

import { openKeys } from './dialog.js';
import { element, shape } from './element.js';
import { openPicker } from './picker.js';
import { kept, setTheme, theme } from './site.js';

const swapTheme = () => setTheme(theme() === 'dark' ? 'light' : 'dark');

/** Adds the buttons to the header. */
export function completeHeader() {
  const bar = document.querySelector('header.bar');
  if (!bar) return;
  bar
    .querySelector('.brand')
    ?.prepend(
      shape(
        'svg',
        { viewBox: '0 0 18 18', 'aria-hidden': 'true' },
        shape('path', { d: 'M1.5 1v16M5.5 1v5M5.5 12v5M9.5 1v10M13.5 5v12M17 1v3' }),
      ),
    );
  bar.querySelector('.brand')?.after(
    element(
      'button.find',
      {
        type: 'button',
        'aria-haspopup': 'dialog',
        'aria-label': 'Find an encoding or a model',
        onclick: () => openPicker(),
      },
      shape(
        'svg',
        { viewBox: '0 0 18 18', 'aria-hidden': 'true' },
        shape('path', {
          d: 'M12.5 12.5L17 17M13 7.5a5.5 5.5 0 1 1-11 0a5.5 5.5 0 0 1 11 0z',
        }),
      ),
      element('span', {}, 'Find an encoding or a model'),
      element('kbd', {}, '/'),
    ),
  );
  bar.append(
    element(
      'button.quiet.help',
      { type: 'button', 'aria-label': 'Keys', 'aria-haspopup': 'dialog', onclick: openKeys },
      '?',
    ),
    element(
      'button.quiet.theme',
      { type: 'button', 'aria-label': 'Light or dark', onclick: swapTheme },
      shape(
        'svg',
        { viewBox: '0 0 18 18', 'aria-hidden': 'true' },
        shape('circle', { cx: 9, cy: 9, r: 6.5 }),
        shape('path', { d: 'M9 2.5a6.5 6.5 0 0 1 0 13z' }),
      ),
    ),
  );
}

/** Listens for keys. more: functions by key, of this page. */
export function listenForKeys(more = {}) {
  const actions = { '/': () => openPicker(), '?': openKeys, t: swapTheme, ...more };
  document.addEventListener('keydown', (event) => {
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      kept('keys') === 'off' ||
      /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)
    )
      return;
    if (document.querySelector('dialog[open]') || !actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  });
}
