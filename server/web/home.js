// SPDX-License-Identifier: Apache-2.0
// home.js - the first page: the picture that everybody knows, six ways to tell positions, models
// to port, and the request as code.

import { dropPlace } from './dropped.js';
import { element, settle } from './element.js';
import { Heatmap } from './heatmap.js';
import { matrixOf } from './matrix.js';
import { scaleOf } from './palette.js';
import { openPicker } from './picker.js';
import { paintSmall } from './raster.js';
import { writeQuery } from './query.js';
import { knownModels, modelNamed } from './search.js';
import { pageTextAt, tensorOf } from './service.js';
import { onTheme, pageAt, theme } from './site.js';
import { addSkipToPicture } from './skipping.js';
import { snippet } from './snippet.js';
import { verify } from './verify.js';

const REQUEST = { pos: '0:100', dim: '256' };
const OUTPUT = {
  name: 'rows',
  label: 'Sinusoidal encoding',
  columns: 'wave',
  axes: [
    { name: 'pos', label: 'position' },
    { name: 'dim', label: 'dimension' },
  ],
};
const CARDS = [
  [
    'Waves',
    'sinusoidal',
    { pos: '0:48', dim: '64', layout: 'concat' },
    'Added to the embedding; the first of them all',
  ],
  [
    'Rotary',
    'rope',
    { pos: '0:64', dim: '96', out: 'cos' },
    'Queries and keys turn: Llama, Qwen, Gemma, DeepSeek',
  ],
  [
    'ALiBi',
    'alibi',
    { heads: '1', len: '48', causal: '1', slopes: '0.06' },
    'The further, the less; no position in the input',
  ],
  ['T5 buckets', 't5', { len: '48' }, 'One learned number for each range of distances'],
  ['Masks', 'sliding-window-mask', { len: '48', window: '12' }, 'Which keys a query may see'],
  ['Images', 'sincos2d-mae', { grid: '8x8', dim: '64' }, 'A position for each patch'],
];
const MODELS = [
  'llama-3.1-8b',
  'deepseek-v3',
  'gemma-3-4b',
  'qwen2.5-7b',
  'phi-3-mini-128k',
  'gpt-oss-20b',
];

/** Draws the answer of a card; where there is none, the card has no picture. */
async function drawCard(canvas, encoding, params) {
  try {
    const tensor = await tensorOf(encoding, params);
    const matrix = matrixOf({ ...tensor, shape: tensor.shape.slice(-2) }, { axes: [] }, {});
    const draw = () => paintSmall(canvas, matrix, scaleOf(tensor), theme());
    draw();
    onTheme(draw);
  } catch {
    canvas.remove();
  }
}

/** A small picture that leads to its request. drawn: takes the promise that it is drawn. */
function card([title, encoding, params, text], drawn) {
  const canvas = element('canvas', { 'aria-hidden': 'true', width: 48, height: 48 });
  drawn.push(drawCard(canvas, encoding, params));
  return element(
    'a.card',
    { href: pageAt(`/explore/${encoding}?${writeQuery(params)}`) },
    canvas,
    element('b', {}, title),
    element('span', {}, text),
  );
}

/** Opens the page of the model, by its own name or a hub's; the picker where none has this name,
 * which says so if the list could not be had. */
async function openModel(name) {
  const found = modelNamed(await knownModels().catch(() => []), name);
  if (found) location.assign(pageAt(`/models/${found.id}`));
  else openPicker(name);
}

function port() {
  const input = element('input', {
    type: 'text',
    placeholder: MODELS[0],
    'aria-label': 'Name of a model',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  return element(
    'section.port',
    {},
    element(
      'div',
      {},
      element('h2', {}, 'Port a model'),
      element(
        'p',
        {},
        'What it rotates or adds, layer by layer, with the source of each fact and the exact tables.',
      ),
    ),
    element(
      'div',
      {},
      element(
        'form.row',
        {
          onsubmit: (event) => {
            event.preventDefault();
            openModel(input.value.trim() || MODELS[0]);
          },
        },
        input,
        element('button', { type: 'submit' }, 'Open'),
      ),
      element(
        'div.row',
        {},
        MODELS.map((id) => element('a.chip', { href: pageAt(`/models/${id}`) }, id)),
      ),
    ),
  );
}

/** Becomes the page of verdicts, which takes the files over: no other page could have them. */
async function openVerify(main, files) {
  const text = await pageTextAt('/verify');
  const page = new DOMParser().parseFromString(text, 'text/html');
  history.pushState(null, '', pageAt('/verify'));
  document.title = page.title;
  document.body.className = page.body.className;
  for (const place of ['.bar nav', '#main'])
    document.querySelector(place).replaceChildren(...page.querySelector(place).childNodes);
  await verify(main, files);
}

export async function home(main) {
  const door = main.querySelector('.door');
  const wrong = element('a', { href: pageAt('/verify?port=adjacent') }, 'See a wrong one');
  const take = (files) => openVerify(main, files);
  door.replaceChildren(dropPlace('Are your numbers right? Drop them here', take, wrong));
  const map = new Heatmap({ name: OUTPUT.label, share: 0.46 }),
    place = element('div.first'),
    drawn = [];
  main.querySelector('.hero').append(place);
  addSkipToPicture(main);
  main.append(
    element(
      'section',
      {},
      element('h2', {}, 'Six ways to tell positions'),
      element(
        'div.cards',
        {},
        CARDS.map((one) => card(one, drawn)),
      ),
    ),
    port(),
    snippet('sinusoidal', REQUEST, 'rows', 'f32'),
  );
  const tensor = await tensorOf('sinusoidal', REQUEST);
  map.cell = { row: 40, column: 29 };
  place.replaceChildren(map.node);
  map.draw(matrixOf(tensor, OUTPUT, REQUEST));
  settle();
  await Promise.all(drawn);
}
