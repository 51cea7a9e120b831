// SPDX-License-Identifier: Apache-2.0
// waiting.js - what stands in place of an answer that will come: why it is not there, when it is
// asked for again, and a button that asks at once.

import { element } from './element.js';

const SECOND = 1000; // milliseconds

/** The box. It calls again() after so many seconds in which the page is seen, while it is there. */
export function waitingOf(title, text, seconds, again) {
  let left = Math.max(1, Math.ceil(seconds));
  const clock = element('p.countdown', { role: 'timer' });
  const show = () => (clock.textContent = `Asked again in ${left} s.`);
  const ask = () => {
    clearInterval(timer);
    again();
  };
  const node = element(
    'section.state.bad',
    { role: 'alert' },
    element('h2', {}, title),
    element('p', {}, text),
    clock,
    element('button', { type: 'button', onclick: ask }, 'Try now'),
  );
  const timer = setInterval(() => {
    if (!node.isConnected) clearInterval(timer);
    else if (!document.hidden && --left <= 0) ask();
    else show();
  }, SECOND);
  show();
  return node;
}
