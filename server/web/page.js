// SPDX-License-Identifier: Apache-2.0
// page.js - the script of every page: completes the header, and does what the kind of the page
// needs, which the class of <body> names.

import { compare } from './compare.js';
import { askForKey } from './dialog.js';
import { Explorer } from './explorer.js';
import { completeHeader, listenForKeys } from './header.js';
import { home } from './home.js';
import { model } from './model.js';
import { onKeyNeeded } from './service.js';
import { noAnswer } from './state.js';

const main = document.getElementById('main');

function explore() {
  const name = main.querySelector('[data-encoding]').dataset.encoding;
  const explorer = new Explorer(main, name);
  listenForKeys({
    c: () => explorer.compare(),
    x: () => explorer.swap(),
    '[': () => explorer.turn(-1),
    ']': () => explorer.turn(1),
    y: () => document.querySelector('.snippet .copy')?.click(),
    Escape: () => explorer.panel.close(),
  });
  return explorer.start();
}

const KINDS = { home, compare, explore, model };

onKeyNeeded(askForKey);
completeHeader();
const kind = document.body.className;
if (kind !== 'explore')
  listenForKeys({ y: () => document.querySelector('.snippet .copy')?.click() });
Promise.resolve(KINDS[kind]?.(main)).catch((error) =>
  main.append(noAnswer(error, () => location.reload())),
);
