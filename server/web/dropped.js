// SPDX-License-Identifier: Apache-2.0
// dropped.js - a place to drop files on, or to choose them; and the files of dropped folders.
// Files are known by the ends of their names.

import { element } from './element.js';

/* TENSOR_FILES: end of a name -> {type: media type of /v1/verify, nameless: the file's name is that
 * of its tensor, alone: files of a folder are no tensors}. See tables.py. */

const endOf = (name) => /\.(\w+)$/.exec(name)?.[1].toLowerCase();

/** {type, nameless} of a file; undefined: it is of no kind that is read. */
export const kindOfFile = (name) => TENSOR_FILES[endOf(name)];

/** Whether a file of a folder is read: tensors, or the configuration beside them. */
const isRead = ({ name }) =>
  name === 'config.json' || (kindOfFile(name) && !kindOfFile(name).alone);

export const KNOWN = Object.keys(TENSOR_FILES).map((end) => `.${end}`);

/** The members of a folder, of which a reader gives some at a time. */
async function membersOf(folder) {
  const reader = folder.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return found;
    found.push(...some);
  }
}

/** The files of an entry: itself, or all that are below it and of a known kind. */
async function filesOf(entry, inFolder) {
  if (entry.isDirectory) {
    const members = await membersOf(entry);
    return (await Promise.all(members.map((one) => filesOf(one, true)))).flat();
  }
  if (inFolder && !isRead(entry)) return [];
  return [await new Promise((resolve, reject) => entry.file(resolve, reject))];
}

const byName = (a, b) => (a.name < b.name ? -1 : 1);

/** The files that were dropped, folders in place. */
async function filesDropped({ items, files }) {
  const entries = [...items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...files];
  return (await Promise.all(entries.map((entry) => filesOf(entry, false)))).flat().sort(byName);
}

/** A button, and the field for files that it opens. */
function chooser(text, properties, take) {
  const input = element('input', {
    ...properties,
    type: 'file',
    multiple: true,
    hidden: true,
    onchange: () => {
      const files = [...input.files];
      const whole = !properties.webkitdirectory;
      input.value = '';
      take(whole ? files : files.filter(isRead).sort(byName));
    },
  });
  return [element('button', { type: 'button', onclick: () => input.click() }, text), input];
}

/** The place; take(files) is called for what is dropped anywhere on the page, or chosen. */
export function dropPlace(title, take, ...more) {
  const place = element(
    'section.drop',
    { 'aria-label': title },
    element('b', {}, title),
    element('span.faint', {}, `${KNOWN.join(' ')} of numbers, a folder, or a config.json`),
    element(
      'div.row',
      {},
      chooser('Choose files', { accept: KNOWN.join(',') }, take),
      chooser('Choose a folder', { webkitdirectory: true }, take),
      more,
    ),
  );
  const over = (event, is) => {
    const isOurs = place.isConnected && event.dataTransfer?.types.includes('Files');
    if (isOurs) event.preventDefault();
    place.classList.toggle('over', isOurs && is);
    return isOurs;
  };
  addEventListener('dragenter', (event) => over(event, true));
  addEventListener('dragover', (event) => over(event, true));
  addEventListener('dragleave', (event) => over(event, event.relatedTarget !== null));
  addEventListener('drop', async (event) => {
    if (over(event, false)) take(await filesDropped(event.dataTransfer));
  });
  return place;
}
