// SPDX-License-Identifier: Apache-2.0
// skipping.js - links before all others, which are seen while they have the focus, to what a page is
// opened for.

import { element } from './element.js';

/** Adds a link behind those that are there. go(): focuses what the text names. */
export function addSkip(text, go) {
  const link = element(
    'a.skip',
    {
      href: '#main',
      onclick: (event) => {
        event.preventDefault();
        go();
      },
    },
    text,
  );
  [...document.querySelectorAll('.skip')].at(-1)?.after(link);
}

/** A link to the picture: the first that takes the focus. */
export function addSkipToPicture(main) {
  addSkip('Skip to the picture', () => main.querySelector('.stage, .plot, .rotation input')?.focus());
}
