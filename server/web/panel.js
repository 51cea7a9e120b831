// SPDX-License-Identifier: Apache-2.0
// panel.js - the panel beside the figure: the form of a request, or of one of two requests. On a
// small screen it is a sheet, which a button opens.

import { element } from './element.js';
import { form, paramsOf } from './form.js';
import { documentAt } from './service.js';

/** The kinds of layers of a model, once its facts are known; known() is called then. */
function layerTypesOf(id, known) {
  const kinds = (facts) => [
    ...new Set(facts.uses.map((use) => use.layer_type).filter(Boolean)),
  ];
  if (!id) return [];
  if (layerTypesOf.facts?.id === id) return kinds(layerTypesOf.facts);
  documentAt(`/v1/models/${id}`).then(
    (facts) => {
      layerTypesOf.facts = { ...facts, id };
      known();
    },
    () => {}, // the request itself says that there is no such model
  );
  return [];
}

export class Panel {
  /** actions: set(change), drag(change), rest(), compare(), side(name). */
  constructor(actions) {
    this.actions = actions;
    this.node = element('aside.panel#parameters', {
      'aria-label': 'Parameters',
      onkeydown: (event) => event.key === 'Escape' && this.close(),
    });
    this.opener = element(
      'button.sheet',
      { type: 'button', 'aria-controls': 'parameters', onclick: () => this.open() },
      'Parameters',
    );
  }

  /** Opens the sheet, and focuses the first field, or that of this id. */
  open(id) {
    this.node.classList.add('open');
    const field = id && this.node.querySelector(`[id="${id}"]`);
    field?.closest('details')?.setAttribute('open', '');
    (field || this.node.querySelector('form :is(input, select)'))?.focus();
  }

  close() {
    this.node.classList.remove('open');
  }

  /** Whether the parameter has a field. */
  has(name) {
    return this.node.querySelector(`[id="p-${name}"]`) !== null;
  }

  focusProblem() {
    this.node.querySelector('.wrong input, .wrong select')?.focus({ preventScroll: true });
  }

  /** Shows the form. state: {models, side, a, b, problems}. While a slider is dragged the form stays
   * as it is. */
  show(state) {
    this.state = state;
    if (this.dragged) return;
    const request = state.side === 'b' ? state.b : state.a;
    const focused = document.activeElement?.id;
    const open = this.node.querySelector('details')?.open;
    const top = this.node.scrollTop;
    this.node.replaceChildren(this.#header(state), this.#form(state, request, open));
    this.node.scrollTop = top;
    if (/^[pr]-/.test(focused))
      document.getElementById(focused)?.focus({ preventScroll: true });
  }

  #form(state, request, open) {
    const { models, problems } = state;
    const { schema, output, name } = request;
    const named = models.filter((one) => one.encodings?.includes(name)).map((one) => one.id);
    const kinds = layerTypesOf(request.params.model, () => this.show(state));
    return form({
      params: paramsOf(schema, output, named, kinds),
      request,
      problems,
      open,
      set: (parameter, text) => this.actions.set({ [parameter]: text }),
      drag: (parameter, text) => {
        this.dragged = true;
        this.actions.drag({ [parameter]: text });
      },
      rested: () => this.#rest(),
    });
  }

  #rest() {
    if (!this.dragged) return;
    this.dragged = false;
    this.show(this.state);
    this.actions.rest();
  }

  #header({ b, side }) {
    const quiet = (text, act, more = '') =>
      element(`button.quiet${more}`, { type: 'button', onclick: act }, text);
    return element(
      'header',
      {},
      b ? this.#sides(side) : element('h2', {}, 'Parameters'),
      quiet(b ? 'End comparison' : 'Compare with…', this.actions.compare),
      quiet('Done', () => this.close(), '.close'),
    );
  }

  /** A | B. */
  #sides(side) {
    const choice = (name) =>
      element(
        `label.${name}`,
        {},
        element('input', {
          type: 'radio',
          name: 'side',
          checked: name === side,
          onchange: () => this.actions.side(name),
        }),
        element('span', {}, name.toUpperCase()),
      );
    return element(
      'div.segments.sides',
      { role: 'radiogroup', 'aria-label': 'request' },
      ['a', 'b'].map(choice),
    );
  }
}
