// SPDX-License-Identifier: Apache-2.0
// picker.js - the dialog in which one finds an encoding, a model, a parameter, a mistake or a
// document: a box, and a list of options among which the arrow keys move while the box keeps the
// focus.

import { openDialog } from './dialog.js';
import { element } from './element.js';
import { allEntries, find } from './search.js';

const MOST = 60; // entries of a group that are shown
const PAGE = 10; // options that PageUp and PageDown pass

/** Groups in the order of their best entry. */
function groupsOf(entries) {
  const groups = new Map();
  for (const entry of entries)
    groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry]);
  return [...groups];
}

function section([group, members], number, option) {
  const rest = members.length - MOST;
  const id = `found-${number}`;
  return element(
    'div',
    { role: 'group', 'aria-labelledby': id },
    element('p.group', { id, role: 'presentation' }, group),
    members.slice(0, MOST).map((entry, i) => option(entry, `${id}-${i}`)),
    rest > 0
      ? element('p', { role: 'presentation' }, `${rest} more: give another word.`)
      : null,
  );
}

/** What there is to say of a list, besides what it has. */
function remarkOf({ entries, alike }) {
  if (!alike) return '';
  return entries.length ? 'Nothing has these words. Alike are:' : 'Nothing has these words.';
}

/** Makes an option the one that Enter opens; without one Enter opens the first. */
function activate(input, list, option) {
  list.querySelector('[aria-selected=true]')?.setAttribute('aria-selected', 'false');
  option?.setAttribute('aria-selected', 'true');
  option?.scrollIntoView({ block: 'nearest' });
  if (option) input.setAttribute('aria-activedescendant', option.id);
  else input.removeAttribute('aria-activedescendant');
}

/** Moves the active option, or opens it. */
function move(event, list, input) {
  const options = [...list.querySelectorAll('[role=option]')];
  const at = options.findIndex((one) => one.getAttribute('aria-selected') === 'true');
  const last = options.length - 1;
  const to = {
    ArrowDown: Math.min(last, at + 1),
    ArrowUp: at - 1,
    PageDown: Math.min(last, at + PAGE),
    PageUp: Math.max(0, at - PAGE),
  }[event.key];
  if (to === undefined && event.key !== 'Enter') return;
  event.preventDefault();
  if (to === undefined) options[Math.max(0, at)]?.click();
  else activate(input, list, options[to]);
}

/** The box, the remark and the list of the dialog. */
function partsOf(text) {
  const list = element('div.found#found', { role: 'listbox', 'aria-label': 'What is found' });
  const remark = element('p.remark', { 'aria-live': 'polite' });
  const input = element('input', {
    type: 'search',
    role: 'combobox',
    'aria-expanded': 'true',
    'aria-controls': 'found',
    'aria-autocomplete': 'list',
    placeholder: 'Search encodings, models, parameters, mistakes and documents',
    'aria-label': 'Search encodings, models, parameters, mistakes and documents',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  input.value = text;
  return { list, remark, input };
}

/** Opens the picker, with this text in its box. first: entries before all others; choose(entry):
 * called in place of opening the entry's page, for entries that it may be called for. */
export async function openPicker(text = '', { first = [], choose, among = () => true } = {}) {
  const { list, remark, input } = partsOf(text);
  const dialog = openDialog('Choose an encoding or a model', '.picker', input, remark, list);
  const pick = (event, entry) => {
    if (!choose) return;
    event.preventDefault();
    dialog.close();
    choose(entry);
  };
  const option = (entry, id) =>
    element(
      'a',
      {
        id,
        role: 'option',
        'aria-selected': 'false',
        tabindex: -1,
        href: entry.href,
        onclick: (event) => pick(event, entry),
      },
      element('b', {}, entry.name),
      element('span', {}, entry.title),
    );
  const show = (all) => {
    const found = find(all, input.value);
    remark.textContent = remarkOf(found);
    list.replaceChildren(
      ...groupsOf(found.entries).map((group, i) => section(group, i, option)),
    );
    activate(input, list, null);
  };
  const load = async () => {
    remark.replaceChildren();
    try {
      const all = [...first, ...(await allEntries()).filter(among)];
      input.oninput = () => show(all);
      show(all);
    } catch (error) {
      remark.replaceChildren(
        element('span', { role: 'alert' }, `The list could not be had: ${error.message}. `),
        element('button', { type: 'button', onclick: load }, 'Try again'),
      );
    }
  };
  input.addEventListener('keydown', (event) => move(event, list, input));
  await load();
}
