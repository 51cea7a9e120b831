// SPDX-License-Identifier: Apache-2.0
// picker.js - the dialog in which one finds an encoding, a model, a parameter, a mistake or a
// document.

import { openDialog } from './dialog.js';
import { element } from './element.js';
import { allEntries, find } from './search.js';

const MOST = 60; // entries of a group that are shown

/** Groups in the order of their best entry. */
function groupsOf(entries) {
  const groups = new Map();
  for (const entry of entries)
    groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry]);
  return [...groups];
}

function section([group, members], link) {
  const rest = members.length - MOST;
  return element(
    'section',
    {},
    element('h2', {}, group),
    members.slice(0, MOST).map(link),
    rest > 0 ? element('p', {}, `${rest} more: give another word.`) : null,
  );
}

/** What is found, under a sentence where it is only like what was asked for. */
function show(list, all, text, link) {
  const { entries, alike } = find(all, text);
  const none = element('p', {}, 'Nothing has these words.');
  const like = element('p', {}, 'Nothing has these words. Alike are:');
  list.replaceChildren(
    ...(alike ? [entries.length ? like : none] : []),
    ...groupsOf(entries).map((group) => section(group, link)),
  );
}

/** Moves between the box and what is found. */
function move(event, list, input) {
  const links = [...list.querySelectorAll('a')],
    at = links.indexOf(document.activeElement);
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by) {
    event.preventDefault();
    (links[at + by] ?? input).focus();
  } else if (event.key === 'Enter' && at < 0) links[0]?.click();
}

/** Opens the picker, with this text in its box. first: entries before all others; choose(entry):
 * called in place of opening the entry's page, for entries that it may be called for. */
export async function openPicker(text = '', { first = [], choose, among = () => true } = {}) {
  const list = element('div.found', { 'aria-live': 'polite' });
  const input = element('input', {
    type: 'search',
    placeholder: 'Search encodings, models, parameters, mistakes and documents',
    'aria-label': 'Search encodings, models, parameters, mistakes and documents',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  input.value = text;
  const dialog = openDialog('Choose an encoding or a model', '.picker', input, list);
  const pick = (event, entry) => {
    if (!choose) return;
    event.preventDefault();
    dialog.close();
    choose(entry);
  };
  const link = (entry) =>
    element(
      'a',
      { href: entry.href, onclick: (event) => pick(event, entry) },
      element('b', {}, entry.name),
      element('span', {}, entry.title),
    );
  const load = async () => {
    try {
      const all = [...first, ...(await allEntries()).filter(among)];
      input.oninput = () => show(list, all, input.value, link);
      input.oninput();
    } catch (error) {
      list.replaceChildren(
        element('p', { role: 'alert' }, `The list could not be had: ${error.message}.`),
        element('button', { type: 'button', onclick: load }, 'Try again'),
      );
    }
  };
  dialog.addEventListener('keydown', (event) => move(event, list, input));
  await load();
}
