// SPDX-License-Identifier: Apache-2.0
// page.js - the script of every page: completes the header, and does what the kind of the page
// needs, which the class of <body> names.

import { compare } from './compare.js';
import { copyFormulas } from './copying.js';
import { askForKey } from './dialog.js';
import { Explorer } from './explorer.js';
import { finding } from './finding.js';
import { completeHeader, listenForKeys } from './header.js';
import { home } from './home.js';
import { learn } from './lesson.js';
import { model } from './model.js';
import { models } from './models.js';
import { onKeyNeeded } from './service.js';
import { told } from './site.js';
import { failureOf } from './state.js';
import { verify } from './verify.js';

const main = document.getElementById('main');
const EXAMPLE = /(http:\/\/)?localhost:8080(\/?)/g; // the service, in requests of documents

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

/** Lines to copy ask this service, in place of the address that documents have. What has neither a
 * scheme nor a path is a host. */
function nameService() {
  const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode: node } = texts;
    if (node.parentNode.closest('pre, code'))
      node.data = node.data.replace(
        EXAMPLE,
        (_, scheme, path) => (scheme || path ? location.origin : location.host) + path,
      );
  }
}

// The first kind that the body has counts.
const KINDS = {
  home,
  compare,
  explore,
  learn,
  model,
  models,
  verify: (place) => verify(place),
  docs: finding,
};

onKeyNeeded(askForKey);
completeHeader();
copyFormulas();
if (!told('modules')) nameService();
const kind = Object.keys(KINDS).find((name) => document.body.classList.contains(name));
if (kind !== 'explore')
  listenForKeys({ y: () => document.querySelector('.snippet .copy')?.click() });
main.setAttribute('aria-busy', 'true');
Promise.resolve(KINDS[kind]?.(main))
  .catch((error) => main.append(failureOf(error, () => location.reload())))
  .finally(() => main.setAttribute('aria-busy', 'false'));
