// SPDX-License-Identifier: Apache-2.0
// form.js - the form of an output, from the schema: the parameters that the output uses, those
// first that most requests set.

import { holds } from './condition.js';
import { element } from './element.js';
import { field } from './field.js';

const ORDER = ['model', 'layer_type', 'layer', 'preset', 'pos', 'len', 'grid', 'dim', 'heads'];
const NAMED = [
  {
    name: 'model',
    type: 'text',
    level: 'basic',
    doc: 'a published model to start from; what is set below stays',
  },
  {
    name: 'layer_type',
    type: 'text',
    level: 'basic',
    doc: 'the kind of layer, where those of a model differ',
  },
];

const rank = ({ name }) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);

/** The parameters of the output, in the order of the form. */
export function paramsOf(schema, output, models, layerTypes) {
  const uses = new Set([...output.uses, 'preset']);
  const own = schema.params.filter((param) => uses.has(param.name));
  const named = models.length ? [{ ...NAMED[0], suggestions: models }] : [];
  if (layerTypes.length)
    named.push({ ...NAMED[1], choices: layerTypes.map((name) => ({ name })) });
  return [...named, ...own]
    .map((param, i) => [rank(param), i, param])
    .sort((a, b) => a[0] - b[0] || a[1] - b[1])
    .map(([, , param]) => param);
}

/** The form. request: {params, effective}; problems: sentences by parameter; set(name, text);
 * drag(name, text) and rested() are those of sliders. A parameter that has no effect beside the others has no field. */
export function form({ params, request, problems, open, set, drag, rested }) {
  const all = request.schema.params;
  const usual = Object.fromEntries(all.map((param) => [param.name, param.default]));
  const valueOf = (name) => request.params[name] ?? request.effective[name] ?? usual[name];
  const first = [],
    rest = [];
  for (const param of params) {
    const wanted = param.name in request.params || problems[param.name];
    if (!wanted && !holds(param.when, valueOf)) continue;
    const basic = param.level === 'basic' && param.choices?.length !== 1;
    (wanted || basic ? first : rest).push(
      field(param, {
        value: request.params[param.name],
        problem: problems[param.name],
        fallback: request.effective[param.name] ?? param.default,
        set: (text) => set(param.name, text),
        drag: (text) => drag(param.name, text),
        rest: rested,
      }),
    );
  }
  return element(
    'form',
    { onsubmit: (event) => event.preventDefault() },
    first,
    rest.length
      ? element(
          'details',
          { open: open || rest.length < 4 },
          element('summary', {}, `${rest.length} more`),
          rest,
        )
      : null,
  );
}
