// SPDX-License-Identifier: Apache-2.0
// local.js - answers in place of a service, for pages that are files: WebAssembly modules compute them
// in a worker of the page, and links to the API lead to what is computed.

import { localFetch } from 'posenc'; // proto/clients/typescript, where make_site.py says it is
import { answerBy, save } from './service.js';
import { prefix, told } from './site.js';

const answer = localFetch({ modules: new URL(told('modules'), location), worker: true });

/** The path and query of the API that a link leads to; '' for any other link. */
function pathOf({ origin, pathname, search }) {
  const path = pathname.slice(prefix.length);
  const ours = origin === location.origin && pathname.startsWith(`${prefix}/`);
  return ours && /^\/(v1\/|openapi\.json$)/.test(path) ? path + search : '';
}

/** Saves what the link leads to, or shows it where it is no file. */
async function follow(link, path) {
  const reply = await answer(path);
  const blob = await reply.blob();
  if (link.download && reply.ok) save(blob, link.download);
  else location.assign(URL.createObjectURL(blob));
}

answerBy(answer);
addEventListener('click', (event) => {
  const link = event.target.closest?.('a[href]');
  const path = link && pathOf(link);
  if (!path) return;
  event.preventDefault();
  follow(link, path);
});
