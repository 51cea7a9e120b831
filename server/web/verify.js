// SPDX-License-Identifier: Apache-2.0
// verify.js - the page of verdicts: takes files, or a built-in port, and a claim, asks /v1/verify
// and shows what it answers. The URL has the claim and the port; files are kept nowhere.

import { Claim } from './claim.js';
import { dropPlace, kindOfFile, KNOWN } from './dropped.js';
import { element } from './element.js';
import { partsOf } from './model_parts.js';
import { bytes, count } from './number.js';
import { readQuery, writeQuery } from './query.js';
import { answerTo, bytesAt, Problem } from './service.js';
import { pageAt, prefix, service, told } from './site.js';
import { failureOf, problemOf, sentencesOf } from './state.js';
import { verdictOf } from './verdict.js';

const MOST = 64e6; // bytes that a page sends; other clients may send more
const CONFIG_MOST = 1 << 20; // bytes of a config.json
const PORT = 'application/x-safetensors';
const CONFIG_WORDS = /^(model_type|architectures|hidden_size|n_embd|text_config|rope_theta)$/;

/** Lines that cut the rows of a file, where the sizes of whole files are told. */
const CUTS = {
  npz: (name) =>
    `t = numpy.load("${name}")\nnumpy.savez("part.npz", **{n: t[n][:4096] for n in t})`,
  npy: (name) => `numpy.save("part.npy", numpy.load("${name}", mmap_mode="r")[:4096])`,
  safetensors: (name) =>
    `t = safetensors.numpy.load_file("${name}")\n` +
    `safetensors.numpy.save_file({n: t[n][:4096].copy() for n in t}, "part.safetensors")`,
  pt: (name) =>
    `t = torch.load("${name}")\ntorch.save({n: t[n][:4096].clone() for n in t}, "part.pt")`,
};

/** Why a claim by a config.json is not sent: it travels in the target of the request. */
const longConfig = (length, most) =>
  element(
    'section.state.bad',
    { role: 'alert' },
    element('h2', {}, 'config.json is too long to be a claim'),
    element(
      'p',
      {},
      `With it, the address of the request has ${count(length)} bytes, and the service reads at most `,
      `${count(most)}. Nothing was sent. Name the model above instead, or drop a config.json of the keys `,
      'about attention and positions alone.',
    ),
  );

/** Why a file is not sent, and what would be. */
function tooLong(file, most) {
  const end = /\.(\w+)$/.exec(file.name)?.[1].toLowerCase();
  const cut = CUTS[end === 'pth' ? 'pt' : end];
  return element(
    'section.state.bad',
    { role: 'alert' },
    element('h2', {}, `${file.name} has ${bytes(file.size)}; the page sends at most ${bytes(most)}`),
    element(
      'p',
      {},
      'It was not sent. The first 4,096 rows of each tensor are enough to find a mistake; ',
      element('code', {}, `posencd verify ${file.name}`),
      ' reads the whole file.',
    ),
    cut ? element('pre', { tabindex: 0, 'aria-label': 'How to cut it' }, cut(file.name)) : null,
  );
}

const notRead = (file) =>
  element(
    'section.state.bad',
    { role: 'alert' },
    element('h2', {}, `${file.name} is none of the files that are read`),
    element('p', {}, `Those are ${KNOWN.join(', ')}.`),
  );

/** The text of a config.json; undefined: the file is another one. */
async function configOf(file) {
  if (!/\.json$/i.test(file.name) || file.size > CONFIG_MOST) return undefined;
  const text = await file.text();
  try {
    const { claim, tensors, ...words } = JSON.parse(text);
    return !tensors && Object.keys(words).some((word) => CONFIG_WORDS.test(word))
      ? JSON.stringify(JSON.parse(text))
      : undefined;
  } catch {
    return undefined; // the service says what is wrong with it
  }
}

class Verify {
  constructor(main) {
    const asking = main.querySelector('.asking');
    this.ports = main.querySelector('.ports');
    this.most = Math.min(MOST, Number(asking.dataset.most) || MOST);
    this.mostTarget = Number(asking.dataset.mostTarget);
    this.slugs = asking.dataset.mistakes.split(' ');
    this.claim = new Claim(() => this.changed());
    this.status = element('div.progress', { role: 'status' });
    this.answers = element('div.answers', { 'aria-live': 'polite' });
    this.title = document.title;
    this.work = null; // what is judged: a function of a signal that gives cards
    asking.append(
      dropPlace('Drop your numbers here', (files) => this.take(files)),
      element('p.faint', {}, this.#destination()),
      element('h2', {}, 'What are they meant to be?'),
      element('p.faint', {}, 'All may stay empty: then the numbers say what they are.'),
      this.claim.node,
    );
    this.ports.append(this.status);
    main.append(this.answers);
    for (const link of this.ports.querySelectorAll('a'))
      link.addEventListener('click', (event) => this.#open(event, link));
    const { pathname } = location;
    addEventListener('popstate', () =>
      location.pathname === pathname ? this.restore() : location.reload(),
    );
  }

  #destination() {
    return told('modules')
      ? 'Your files stay in this page: it has no service, and WebAssembly judges them here.'
      : `Your files go to this service, ${service}, which judges them and keeps nothing.`;
  }

  /** Shows what the URL has: a claim, and a port if one is named. */
  restore() {
    const { port, ...claim } = readQuery(location.search.slice(1));
    const link = [...this.ports.querySelectorAll('a')].find((one) => one.dataset.port === port);
    this.claim.params = { ...(link ? readQuery(this.ports.dataset.claim) : {}), ...claim };
    this.#mark(link);
    if (link) return this.#judgePort(link);
    this.answers.replaceChildren();
    this.work = null;
    document.title = this.title;
    return undefined;
  }

  #open(event, link) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.pushState(null, '', link.href);
    this.restore();
  }

  #mark(port) {
    for (const link of this.ports.querySelectorAll('a'))
      if (link === port) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    this.port = port;
  }

  #write() {
    const port = this.port && { port: this.port.dataset.port };
    const query = writeQuery({ ...port, ...this.claim.params });
    history.replaceState(null, '', pageAt(`/verify${query ? `?${query}` : ''}`));
  }

  /** The claim has changed: what was judged is judged again. */
  changed() {
    this.#write();
    return this.work ? this.run() : undefined;
  }

  #judgePort(link) {
    const { numbers } = link.dataset;
    this.work = async (signal) => {
      const { body } = await bytesAt(`/v1/${numbers}&format=safetensors`, signal);
      return [await this.#verdict(body, PORT, `${link.dataset.port}.safetensors`, {}, signal)];
    };
    return this.run();
  }

  /** Judges files; a config.json among others is their claim, one alone is read by itself. */
  async take(files) {
    if (!files.length) return undefined;
    this.#mark(null);
    this.#write();
    const configs = await Promise.all(files.map(configOf));
    const config = configs.find(Boolean);
    const tensors = files.filter((_, i) => !configs[i]);
    this.work = tensors.length
      ? (signal) => this.#each(tensors, config, signal)
      : async (signal) => [await partsOf(files[0], signal)];
    return this.run();
  }

  async #each(files, config, signal) {
    const cards = [];
    for (const file of files) {
      const kind = kindOfFile(file.name);
      if (!kind) cards.push(notRead(file));
      else if (file.size > this.most) cards.push(tooLong(file, this.most));
      else {
        const { model } = this.claim.params;
        const more = {
          ...(config && !model ? { config } : {}),
          ...(kind.nameless ? { tensor: file.name.replace(/\.\w+$/, '') } : {}),
        };
        cards.push(await this.#verdict(file, kind.type, file.name, more, signal));
      }
    }
    return cards;
  }

  /** The card of one body. Where several are judged, a problem of one is its card. */
  async #verdict(body, type, name, more, signal) {
    const asked = { ...this.claim.params, ...more };
    const query = writeQuery(asked);
    const path = `/v1/verify${query ? `?${query}` : ''}`;
    const length = prefix.length + path.length;
    if (asked.config && length > this.mostTarget) return longConfig(length, this.mostTarget);
    try {
      const answer = await answerTo(path, body, type, signal);
      return verdictOf(answer, { name, type, asked, slugs: this.slugs });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const sentences = sentencesOf(error);
      this.claim.tell(sentences);
      return problemOf(error, (param) => param in sentences);
    }
  }

  /** Does the work, and shows its cards. */
  async run() {
    this.abort?.abort();
    const abort = (this.abort = new AbortController());
    const cancel = { type: 'button', onclick: () => abort.abort() };
    this.status.replaceChildren(
      element('span', {}, 'Trying the known mistakes … '),
      element('button.quiet', cancel, 'Cancel'),
    );
    this.claim.tell({});
    this.answers.setAttribute('aria-busy', 'true');
    try {
      const cards = await this.work(abort.signal);
      if (this.abort !== abort) return;
      this.#show(cards);
    } catch (error) {
      if (error.name !== 'AbortError') this.#show([failureOf(error, () => this.run())]);
    }
    if (this.abort !== abort) return;
    this.status.replaceChildren();
    this.answers.setAttribute('aria-busy', 'false');
  }

  #show(cards) {
    this.answers.replaceChildren(...cards);
    document.title = `${cards[0].querySelector('h2').textContent} · posencd`;
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.answers.scrollIntoView({ behavior: still ? 'auto' : 'smooth', block: 'start' });
    this.answers.querySelector('h2')?.focus({ preventScroll: true });
  }
}

/** The page. files: those that were dropped on another page, which this one has taken over. */
export function verify(main, files = []) {
  const page = new Verify(main);
  return files.length ? page.take(files) : page.restore();
}
