// SPDX-License-Identifier: Apache-2.0
// state.js - what stands where a figure would be: problems, answers that are too large, a
// service that does not answer, and a page that cannot draw.

import { element } from './element.js';
import { bytes, count } from './number.js';
import { NoAnswer, Problem } from './service.js';
import { told } from './site.js';
import { waitingOf } from './waiting.js';

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Parameter -> sentence, of a problem's errors. */
export function sentencesOf(problem) {
  return Object.fromEntries(
    problem.errors
      .filter((error) => error.parameter)
      .map((error) => [
        error.parameter,
        `${capital(error.detail)}${error.hint ? `. ${capital(error.hint)}` : ''}`,
      ]),
  );
}

/** A problem: how many parameters are wrong, and the sentences that stand at no field. */
export function problemOf(problem, isPlaced) {
  const n = problem.errors.length,
    loose = problem.errors.filter((error) => !error.parameter || !isPlaced(error.parameter));
  const title = n
    ? `${n} ${n === 1 ? 'parameter needs' : 'parameters need'} another value`
    : capital(problem.message);
  return element(
    'section.state.bad',
    { role: 'alert' },
    element('h2', {}, title),
    loose.map((error) =>
      element(
        'p',
        {},
        error.parameter ? element('code', {}, error.parameter) : null,
        ` ${error.detail}${error.hint ? `; ${error.hint}` : ''}`,
      ),
    ),
    n > loose.length ? element('p', {}, 'The reason stands at the field.') : null,
  );
}

/** An answer with more elements than are drawn: its size, and pieces that are drawn. */
export function tooLarge({ outlook, elements }, params, most, set) {
  const { shape } = outlook,
    perRow = elements / shape[0];
  const rows = 2 ** Math.floor(Math.log2(Math.max(1, most / perRow / 2))),
    step = Math.ceil(shape[0] / 2048);
  const offer = (text, change) =>
    element('button', { type: 'button', onclick: () => set(change) }, text);
  const last = (params.pos ?? '').split(':')[1] ?? String(shape[0]);
  const offers = params.pos
    ? [
        offer(`First ${count(rows)} positions`, { pos: `0:${rows}` }),
        offer(`Every ${count(step)}th position`, { pos: `0:${last}:${step}` }),
      ]
    : params.len
      ? [offer('Length 512', { len: '512' })]
      : [];
  return element(
    'section.state',
    { role: 'status' },
    element('h2', {}, `${shape.map(count).join(' × ')} is more than a screen can show`),
    element(
      'p',
      {},
      `${count(elements)} numbers, ${bytes(outlook.bytes)}. The code and the downloads below give all of them.`,
    ),
    element('div.row', {}, offers),
  );
}

const PATIENCE = 10; // seconds until a service that does not answer is asked again

/** The title and the text of a failure that is no refusal. */
const wordsOf = (error) =>
  told('modules')
    ? ['The numbers cannot be computed here', error.message]
    : ['This page cannot draw the answer', error.message];

/** Why there is no figure: the service refused, or did not answer, or the page failed. What time
 * mends is asked for again by itself. */
export function failureOf(error, again) {
  if (error.status === 503)
    return waitingOf(
      'The service is busy',
      `${capital(error.message)}.`,
      error.retryAfter || 1,
      again,
    );
  if (error instanceof NoAnswer && !told('modules'))
    return waitingOf(
      'The service does not answer',
      `The picture is drawn as soon as it does. (${error.message})`,
      PATIENCE,
      again,
    );
  if (error instanceof Problem) return problemOf(error, () => false);
  const [title, text] = wordsOf(error);
  return element(
    'section.state.bad',
    { role: 'alert' },
    element('h2', {}, title),
    element('p', {}, text),
    element('button', { type: 'button', onclick: again }, 'Try again'),
  );
}
