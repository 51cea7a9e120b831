// SPDX-License-Identifier: Apache-2.0
// search.js - what can be found by words: encodings with their parameters and choices, models by
// every name, mistakes that verify names, and documents. Words with typing errors find their like.

import { documentAt, pageTextAt } from './service.js';
import { pageAt, prefix } from './site.js';

const FIELDS = 'name,family,title,summary,source,params';
const MODEL_FIELDS = 'id,name,organisation,family,aliases,encodings';
const SHORT = 5; // letters of a word that may have one error; a longer one may have two
const LISTS = ['/docs', '/docs/verify']; // documents that link others

const words = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);
const lower = (...texts) => texts.filter(Boolean).join(' ').toLowerCase();

function encodingEntry(one) {
  return {
    name: one.name,
    group: one.family,
    title: one.title,
    text: lower(one.name, one.title, one.summary, one.family, one.source),
    href: pageAt(`/explore/${one.name}`),
  };
}

/** The encodings, those that most models use first. */
function byUse(encodings, models) {
  const counts = {};
  for (const name of models.flatMap((one) => one.encodings ?? []))
    counts[name] = (counts[name] ?? 0) + 1;
  return [...encodings].sort((a, b) => (counts[b.name] ?? 0) - (counts[a.name] ?? 0));
}

/** A parameter, once for all encodings that have it, with all that its choices are called. It leads
 * to the first of these. */
function paramEntries(encodings) {
  const found = new Map();
  for (const { name: encoding, params } of encodings)
    for (const { name, doc, choices = [] } of params) {
      const entry = found.get(name) ?? {
        name,
        group: 'parameters',
        title: doc,
        text: '',
        in: [],
        href: pageAt(`/explore/${encoding}`),
      };
      entry.in.push(encoding);
      const told = choices.flatMap((one) => [one.name, ...(one.aliases ?? []), one.doc]);
      entry.text = lower(entry.text, name, doc, ...told);
      found.set(name, entry);
    }
  for (const entry of found.values())
    entry.title = `${entry.title} · ${entry.in.slice(0, 3).join(', ')}${entry.in.length > 3 ? ' …' : ''}`;
  return [...found.values()];
}

const modelEntry = (one) => ({
  name: one.id,
  group: 'models',
  title: [one.name, one.organisation].filter(Boolean).join(' · '),
  text: lower(one.id, one.name, one.organisation, one.family, ...(one.aliases ?? [])),
  id: one.id,
  href: pageAt(`/models/${one.id}`),
});

/** The documents that a document links: their addresses' last words and the links' texts. */
async function documentEntries(path) {
  const page = new DOMParser().parseFromString(await pageTextAt(path), 'text/html');
  const base = new URL(pageAt(path), location);
  return [...page.querySelectorAll('main a[href]')]
    .map((link) => [new URL(link.getAttribute('href'), base), link])
    .map(([{ pathname }, link]) => [pathname.slice(prefix.length).replace(/\/$/, ''), link])
    .filter(([at]) => at.startsWith('/docs/'))
    .map(([at, link]) => {
      const name = at.slice('/docs/'.length);
      const title = link.closest('li, dt, tr')?.textContent.trim() ?? link.textContent;
      const group = name.startsWith('verify/') ? 'mistakes' : 'documents';
      return { name, group, title, text: lower(name, title), href: pageAt(at) };
    });
}

/** Models with all of their names. */
export async function knownModels() {
  const { models } = await documentAt(`/v1/models?fields=${MODEL_FIELDS}`);
  return models;
}

/** The model of this name: its own, or one that others give it, such as a hub's. */
export function modelNamed(models, text) {
  const name = text.trim().toLowerCase();
  const names = (one) => [one.id, one.name, ...(one.aliases ?? [])];
  return models.find((one) => names(one).some((known) => known?.toLowerCase() === name));
}

/** All that can be found: {name, group, title, text, href} each. */
export async function allEntries() {
  const [{ encodings }, models, ...lists] = await Promise.all([
    documentAt(`/v1/encodings?fields=${FIELDS}`),
    knownModels(),
    ...LISTS.map((path) => documentEntries(path).catch(() => [])),
  ]);
  const own = encodings.filter((one) => !one.name.endsWith('/apply'));
  const texts = new Map(lists.flat().map((entry) => [entry.href, entry]));
  return [
    ...own.map(encodingEntry),
    ...models.map(modelEntry),
    ...paramEntries(byUse(own, models)),
    ...texts.values(),
  ];
}

/** How many letters differ: one more, one less, another one, or two that changed places. */
function distance(a, b) {
  let before = [],
    row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      next[j] = Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + same);
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        next[j] = Math.min(next[j], before[j - 2] + 1);
    }
    [before, row] = [row, next];
  }
  return row[b.length];
}

/** How well an entry fits the words: 0 best; Infinity: not at all. */
function fit(entry, asked) {
  if (!asked.every((word) => entry.text.includes(word))) return Infinity;
  if (!asked.length) return entry.group === 'parameters' ? Infinity : 0;
  if (entry.name === asked[0]) return -1;
  if (entry.name.startsWith(asked[0])) return 0;
  if (asked.some((word) => entry.name.includes(word))) return 1;
  return entry.group === 'parameters' ? 3 : 2;
}

/** How well it fits words with typing errors: the letters that differ, each word of its best. */
function likeness(entry, asked) {
  const parts = entry.text.split(/[^a-z0-9_]+/).filter(Boolean);
  const of = (word) => Math.min(...parts.map((part) => distance(word, part)));
  const found = asked.map(of);
  const most = (word) => (word.length <= SHORT ? 1 : 2);
  return found.every((gap, i) => gap <= most(asked[i]))
    ? found.reduce((sum, gap) => sum + gap, 0)
    : Infinity;
}

const ranked = (all, of) =>
  all
    .map((entry) => [of(entry), entry])
    .filter(([rank]) => rank < Infinity)
    .sort((a, b) => a[0] - b[0])
    .map(([, entry]) => entry);

/** {entries, alike}: those that have all words, the best first; where none has, those that have
 * words like them (alike). */
export function find(all, text) {
  const asked = words(text);
  const entries = ranked(all, (entry) => fit(entry, asked));
  if (entries.length || !asked.length) return { entries, alike: false };
  return { entries: ranked(all, (entry) => likeness(entry, asked)), alike: true };
}
