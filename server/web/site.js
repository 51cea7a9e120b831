// SPDX-License-Identifier: Apache-2.0
// site.js - where the service is and how the page looks: prefix, theme, motion.

/** What a meta tag of the page says; undefined without it. */
export const told = (name) => document.querySelector(`meta[name="posenc-${name}"]`)?.content;

const darkness = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set();
const tell = () => listeners.forEach((listener) => listener());
let printing = false;

/** The path of --path-prefix, in front of every path of the service; "" without one. Pages that
 * are files name it from their own place, "../..". */
export const prefix = new URL(told('prefix') || '/', location).pathname.replace(/\/$/, '');

/** The service that requests are sent to by those who copy them. */
export const service = told('service') ?? location.origin + prefix;

/** The address of a page: of a folder, where pages are files of folders (a meta tag says so). */
export const pageAt = (path) => prefix + path.replace(/(?=[?#]|$)/, told('modules') ? '/' : '');

/** The theme that is shown, "light" or "dark"; paper is light. */
export function theme() {
  if (printing) return 'light';
  return document.documentElement.dataset.theme ?? (darkness.matches ? 'dark' : 'light');
}

/** Calls the function after each change of the theme. */
export function onTheme(listener) {
  listeners.add(listener);
}

/** What the reader chose on an earlier page; undefined: nothing, or the browser keeps nothing. */
export function kept(name) {
  try {
    return localStorage.getItem(`posenc-${name}`) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a choice of the reader for later pages, where the browser allows it. */
export function keep(name, value) {
  try {
    localStorage.setItem(`posenc-${name}`, value);
  } catch {
    // it holds for this page
  }
}

/** Shows the theme in place of the system's, on later pages too. */
export function setTheme(name) {
  document.documentElement.dataset.theme = name;
  keep('theme', name);
  tell();
}

if (kept('theme')) document.documentElement.dataset.theme = kept('theme');
darkness.addEventListener('change', tell);
for (const [event, begins] of Object.entries({ beforeprint: true, afterprint: false }))
  addEventListener(event, () => {
    printing = begins;
    tell();
  });
