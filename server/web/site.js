// SPDX-License-Identifier: Apache-2.0
// site.js - where the service is and how the page looks: prefix, theme, motion.

const meta = document.querySelector('meta[name="posenc-prefix"]');
const darkness = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set();

/** The path of --path-prefix, in front of every path of the service; "" without one. */
export const prefix = meta ? meta.content : '';

/** The theme that is shown, "light" or "dark". */
export function theme() {
  return document.documentElement.dataset.theme ?? (darkness.matches ? 'dark' : 'light');
}

/** Calls the function after each change of the theme. */
export function onTheme(listener) {
  listeners.add(listener);
}

/** Shows the theme in place of the system's. */
export function setTheme(name) {
  document.documentElement.dataset.theme = name;
  listeners.forEach((listener) => listener());
}

darkness.addEventListener('change', () => listeners.forEach((listener) => listener()));
