// SPDX-License-Identifier: Apache-2.0
// snippet.js - the request of the picture as lines of four languages, and as files.

import { copyText } from './copying.js';
import { element } from './element.js';
import { download, hasKey, pathOf, urlOf } from './service.js';
import { prefix } from './site.js';
import { word } from './words.js';

const ARRAYS = {
  f32: ['Float32Array', 'f32', 4],
  f64: ['Float64Array', 'f64', 8],
  i32: ['Int32Array', 'i32', 4],
  i64: ['BigInt64Array', 'i64', 8],
  bool: ['Uint8Array', 'u8', 1],
  u8: ['Uint8Array', 'u8', 1],
  f16: ['Uint16Array', 'u16', 2],
};
const FILES = ['npy', 'safetensors', 'csv', 'json', 'png', 'svg'];
const AS = { png: 'card' }; // a picture that one posts: title, axes, a readable size

const LANGUAGES = {
  curl: ({ url, name, key }) =>
    `curl ${key ? "-H 'Authorization: Bearer KEY' " : ''}-o ${name}.npy '${url('npy')}'`,
  Python: ({ url, name, key }) => `import io, numpy, urllib.request

request = urllib.request.Request("${url('npy')}"${key ? ',\n    headers={"Authorization": "Bearer KEY"}' : ''})
${name} = numpy.load(io.BytesIO(urllib.request.urlopen(request).read()))`,
  JavaScript: ({
    url,
    name,
    key,
    array,
  }) => `const reply = await fetch("${url('raw')}"${key ? ',\n  { headers: { Authorization: "Bearer KEY" } }' : ''});
const shape = reply.headers.get("Posenc-Shape").split(",").map(Number);
const ${name} = new ${array}(await reply.arrayBuffer());`,
  Rust: ({ url, name, key, number, size }) => `// [dependencies] ureq = "3"
let bytes = ureq::get("${url('raw')}")${key ? '\n    .header("Authorization", "Bearer KEY")' : ''}
    .call()?.body_mut().with_config().limit(u64::MAX).read_to_vec()?;
let ${name}: Vec<${number}> = bytes.chunks_exact(${size})
    .map(|b| ${number}::from_le_bytes(b.try_into().unwrap())).collect();`,
};

let language = 'curl';

/** A link that downloads; with a key the page fetches the file, since a link cannot send one. */
function fileLink(encoding, params, output, format) {
  const query = { ...params, format: AS[format] ?? format },
    file = `${output}.${format}`;
  return element(
    'a',
    {
      href: prefix + pathOf(encoding, query),
      download: file,
      onclick: (event) => {
        if (!hasKey()) return;
        event.preventDefault();
        download(encoding, query, file);
      },
    },
    format,
  );
}

/** The box with the lines, for an answer of this element type. */
export function snippet(encoding, params, output, dtype) {
  const [array, number, size] = ARRAYS[dtype] ?? ARRAYS.f32;
  const facts = {
    array,
    number,
    size,
    key: hasKey(),
    name: output.replace(/\W/g, '_'),
    url: (format) => urlOf(encoding, { ...params, format }),
  };
  const code = element('code'),
    tabs = element('div.tabs', { role: 'group', 'aria-label': word('language') });
  const button = element(
    'button.quiet.copy',
    { type: 'button', onclick: () => copyText(button, code.textContent, () => code) },
    word('Copy'),
  );
  const show = (next) => {
    language = next;
    code.textContent = LANGUAGES[language](facts);
    for (const tab of tabs.children)
      tab.setAttribute('aria-pressed', String(tab.textContent === language));
  };
  tabs.append(
    ...Object.keys(LANGUAGES).map((name) =>
      element('button', { type: 'button', onclick: () => show(name) }, name),
    ),
  );
  show(language);
  return element(
    'section.snippet',
    { 'aria-label': word('This request as code') },
    element(
      'header',
      {},
      tabs,
      element(
        'span.files',
        {},
        element('span.faint', {}, 'download'),
        FILES.map((format) => fileLink(encoding, params, output, format)),
      ),
      button,
    ),
    element('pre', { tabindex: 0, 'aria-label': word('code') }, code),
  );
}
