// SPDX-License-Identifier: Apache-2.0
// element.js - makes elements of HTML and SVG. Texts are always text nodes, never markup.

const SVG = 'http://www.w3.org/2000/svg';

function assign(node, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name === 'style')
      Object.entries(value).forEach((pair) => node.style.setProperty(...pair));
    else node.setAttribute(name, value === true ? '' : value);
  }
}

function append(node, children) {
  node.append(
    ...children
      .flat(Infinity)
      .filter((child) => child !== null && child !== undefined && child !== false),
  );
  return node;
}

/** element('p.lead#x', {title: 'a'}, 'text', child): the name has classes and an id. */
export function element(selector, properties = {}, ...children) {
  const [, tag, rest] = /^([a-z0-9]*)(.*)$/.exec(selector);
  const node = document.createElement(tag || 'div');
  for (const [, kind, name] of rest.matchAll(/([.#])([\w-]+)/g)) {
    if (kind === '#') node.id = name;
    else node.classList.add(name);
  }
  assign(node, properties);
  return append(node, children);
}

/** The head of a table, a column a name; null: a corner without one. */
export const tableHead = (names) =>
  element(
    'thead',
    {},
    element(
      'tr',
      {},
      names.map((name) =>
        name === null ? element('td') : element('th', { scope: 'col' }, name),
      ),
    ),
  );

/** The same for SVG; the second word of the name is the class: shape('line grid', {x1: 0}). */
export function shape(name, properties = {}, ...children) {
  const [tag, ...classes] = name.split(' ');
  const node = document.createElementNS(SVG, tag);
  if (classes.length) node.setAttribute('class', classes.join(' '));
  assign(node, properties);
  return append(node, children);
}

const unseen = new Set(); // functions that call a listener for the first time

/** Calls the function once with each new width of the element, at most once a frame. */
export function onResize(node, listener) {
  let width = 0;
  const isNew = () => {
    if (node.clientWidth === width || node.clientWidth === 0) return false;
    width = node.clientWidth;
    unseen.delete(first);
    return true;
  };
  const first = () => isNew() && listener();
  unseen.add(first);
  new ResizeObserver(() => isNew() && requestAnimationFrame(listener)).observe(node);
}

/** Calls what waits for the width of elements that are in the page by now, before they are painted
 * without a height. */
export function settle() {
  for (const first of unseen) first();
}
