// SPDX-License-Identifier: Apache-2.0
// dials.js - a query and a key as hands of dials, a dial for each of some pairs: the wedge between
// them is the angle that their product sees.

import { element, shape } from './element.js';
import { brief } from './number.js';
import { word } from './words.js';

const TURN = 2 * Math.PI;
const RADIUS = 44;
const WEDGE = 26;
const SHOWN = [0, 2, 4, 7, 11, 16]; // pairs, from fast to slow
const PIXELS = 4; // of a drag, for a position

const at = (angle, radius) => [radius * Math.cos(angle), -radius * Math.sin(angle)];

function hand(angle, tone) {
  const [x2, y2] = at(angle, RADIUS);
  return shape(`line hand ${tone}`, { x2, y2 });
}

function dial(pair, query, key) {
  const apart = (((query - key) % TURN) + TURN) % TURN;
  const [sx, sy] = at(key, WEDGE),
    [ex, ey] = at(query, WEDGE);
  const far = apart > Math.PI ? 1 : 0;
  return element(
    'div.clock',
    {},
    shape(
      'svg',
      { viewBox: '-52 -52 104 104', 'aria-hidden': 'true' },
      shape('circle face', { r: RADIUS }),
      shape('path wedge', { d: `M0 0L${sx} ${sy}A${WEDGE} ${WEDGE} 0 ${far} 0 ${ex} ${ey}Z` }),
      hand(query, 'a'),
      hand(key, 'b'),
    ),
    element('b', {}, word('pair {}', pair)),
    element('span.mono', {}, `${brief((apart * 180) / Math.PI, 3)}°`),
  );
}

/** Dials of a query and a key: {node, draw(angles)}, of angles [2, pairs]; drag(by) moves them by
 * positions. The node stays while it is drawn again, so that a drag goes on. */
export function dials(drag) {
  let from = null; // where the pointer was at the last position; null: no drag
  const move = (event) => {
    const by = Math.trunc((event.clientX - from) / PIXELS);
    if (!event.buttons || !by) return;
    from += by * PIXELS;
    drag(by);
  };
  const node = element('div.clocks.dials', {
    onpointerdown: (event) => {
      node.setPointerCapture(event.pointerId);
      from = event.clientX;
    },
    onpointermove: (event) => from !== null && move(event),
    onlostpointercapture: () => {
      from = null;
    },
  });
  const draw = ({ shape: [, pairs], data }) =>
    node.replaceChildren(
      ...SHOWN.filter((pair) => pair < pairs).map((pair) =>
        dial(pair, data[pair], data[pairs + pair]),
      ),
    );
  return { node, draw };
}
