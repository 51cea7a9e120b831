// SPDX-License-Identifier: Apache-2.0
// claim.js - the form of a claim: what numbers are meant to be. Each field may stay empty; what
// has no field of its own is in the last one, as in a query.

import { element } from './element.js';
import { readQuery, writeQuery } from './query.js';
import { documentAt } from './service.js';

const FIELDS = [
  ['model', 'Model', 'meta-llama/Llama-3.1-8B', 'its name on a hub, or ours'],
  ['encoding', 'Encoding', 'found from the numbers', 'rope, alibi, sinusoidal, …'],
  ['pos', 'Positions', 'from the shape', '0:4096, or a list'],
];
const REST = ['rest', 'Other parameters', 'dim=128&base=500000', 'as in a query'];

/** Words that a field offers, once they are known. */
async function wordsOf(name) {
  if (name === 'model') {
    const { models } = await documentAt('/v1/models?fields=id,aliases');
    return models.flatMap((one) => [one.id, ...(one.aliases ?? [])]);
  }
  if (name !== 'encoding') return [];
  const { encodings } = await documentAt('/v1/encodings?fields=name');
  return encodings.map((one) => one.name);
}

export class Claim {
  /** changed(): called when the reader has changed a field. */
  constructor(changed) {
    this.inputs = {};
    this.node = element(
      'form.claim',
      {
        'aria-label': 'What the numbers are meant to be',
        onsubmit: (event) => event.preventDefault(),
      },
      [...FIELDS, REST].map((one) => this.#field(one, changed)),
    );
  }

  #field([name, label, placeholder, doc], changed) {
    const list = element('datalist', { id: `c-${name}-words` });
    const input = element('input', {
      id: `c-${name}`,
      type: 'text',
      placeholder,
      autocomplete: 'off',
      spellcheck: 'false',
      list: list.id,
      'aria-describedby': `c-${name}-doc`,
      onchange: changed,
      onfocus: async () => {
        if (list.childElementCount) return;
        const words = await wordsOf(name).catch(() => []); // the request itself tells why
        list.replaceChildren(...words.map((value) => element('option', { value })));
      },
    });
    this.inputs[name] = input;
    return element(
      'div.field',
      {},
      element('div.top', {}, element('label', { for: input.id }, label)),
      input,
      list,
      element('p.doc', { id: `c-${name}-doc` }, doc),
    );
  }

  /** The parameters, without those that are empty. */
  get params() {
    const { rest, ...own } = this.inputs;
    const given = Object.entries(own).map(([name, input]) => [name, input.value.trim()]);
    return {
      ...Object.fromEntries(given.filter(([, value]) => value)),
      ...readQuery(rest.value.trim().replace(/^[?&]/, '')),
    };
  }

  set params(params) {
    const { rest, ...own } = this.inputs;
    const others = { ...params };
    for (const [name, input] of Object.entries(own)) {
      input.value = others[name] ?? '';
      delete others[name];
    }
    rest.value = writeQuery(others);
  }

  /** Shows sentences at the fields of their parameters; {} takes them away. */
  tell(sentences) {
    const docs = [...FIELDS, REST].map(([name, , , doc]) => [name, doc]);
    for (const [name, doc] of docs) {
      const told = Object.entries(sentences).filter(
        ([param]) => (param in this.inputs ? param : 'rest') === name,
      );
      const field = this.inputs[name].closest('.field');
      field.classList.toggle('wrong', told.length > 0);
      field.querySelector('.doc').textContent = told.length
        ? told.map(([param, text]) => (name === 'rest' ? `${param}: ${text}` : text)).join(' ')
        : doc;
    }
  }
}
