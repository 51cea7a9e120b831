// SPDX-License-Identifier: Apache-2.0
// verdict.js - what /v1/verify answered, as a page: the sentence, the repair, the error before and
// after, where the numbers differ, who else makes the mistake. What an answer leaves out is not
// drawn.

import { bars, beforeAfter } from './bars.js';
import { copyText } from './copying.js';
import { element, tableHead } from './element.js';
import { brief, count } from './number.js';
import { explorerAt, readRequest, writeQuery } from './query.js';
import { modelsText, reportOf } from './report.js';
import { pageTextAt } from './service.js';
import { pageAt } from './site.js';

const PARAMETER = 'parameter'; // the page about parameters that have another value

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The tone of a verdict: good, bad or unsure. Close is right within a tolerance only. */
export function toneOf({ verdict, tolerance_holds: holds }) {
  const right = verdict === 'exact' || verdict === 'profile' || (verdict === 'close' && holds);
  return right ? 'good' : verdict === 'mistake' ? 'bad' : 'unsure';
}

/** The path of a mistake's page; the one about parameters has a place for each. */
function pageOf({ mistake, page }, slugs) {
  const path = page ?? `/docs/verify/${slugs.includes(mistake) ? mistake : PARAMETER}`;
  return path.endsWith(`/${PARAMETER}`) ? `${path}#${mistake.replaceAll('_', '-')}` : path;
}

/** What the page of a mistake says about who makes it: the words below its heading. */
async function whoMakes(path) {
  const [page, place] = path.split('#');
  const text = await pageTextAt(page);
  const article = new DOMParser().parseFromString(text, 'text/html').querySelector('article');
  const heading = place
    ? [...article.querySelectorAll('h2')].find((one) => one.id.includes(place))
    : article.querySelector('#which-libraries-differ');
  const next = heading?.nextElementSibling;
  return next?.matches('p') ? next.textContent.replace(/\s+/g, ' ') : '';
}

/** One value of a repair as a line of a diff. */
const line = (tag, sign, text) => element(tag, {}, `${sign} ${text}\n`);

/** The repair: the values of the parameters, and the line of code that is right, where it is told. */
function diffOf(mistakes) {
  const lines = mistakes.flatMap(({ repair = [], code }) => [
    repair.map((one) => [
      line('del', '-', `${one.parameter} = ${one.found}`),
      line('ins', '+', `${one.parameter} = ${one.expected}`),
      one.found_range && one.found_range[0] !== one.found_range[1]
        ? element(
            'span.faint',
            {},
            `  every value from ${brief(one.found_range[0], 7)} to ${brief(one.found_range[1], 7)} gives these numbers\n`,
          )
        : null,
    ]),
    code ? code.split('\n').map((text) => line('ins', '+', text)) : [],
  ]).flat(Infinity);
  if (!lines.length) return null;
  return element('pre.diff', { tabindex: 0, 'aria-label': 'The repair' }, lines);
}

/** The mistakes' pages: a link, and who makes the mistake, once it is read. */
function pagesOf(mistakes, slugs) {
  return mistakes.map((one) => {
    const page = pageOf(one, slugs);
    const who = element('span');
    whoMakes(page).then(
      (text) => (who.textContent = text ? ` ${text}` : ''),
      () => {}, // the link leads there all the same
    );
    return element(
      'p',
      {},
      element('a', { href: pageAt(page) }, `What ${one.mistake} is, and who makes it`),
      who.textContent ? '' : '.',
      who,
    );
  });
}

function repairOf(answer, slugs) {
  const { mistakes = [] } = answer;
  if (!mistakes.length) return null;
  const { evidence = {} } = mistakes[0];
  const errors = [
    ['as sent', evidence.without, 'bad'],
    ['repaired', evidence.max_abs, 'good'],
  ].filter(([, size]) => Number.isFinite(size));
  return element(
    'div.two',
    {},
    element(
      'div',
      {},
      element('h3', {}, 'Change this'),
      mistakes.map(({ fix }) => (fix ? element('p', {}, `${capital(fix)}.`) : null)),
      diffOf(mistakes),
      pagesOf(mistakes, slugs),
    ),
    errors.length
      ? element(
          'div',
          {},
          element('h3', {}, 'Largest error, on a logarithmic scale'),
          beforeAfter(errors),
          element(
            'p.faint',
            {},
            `${count(evidence.rows ?? 0)} rows follow from ${mistakes.length > 1 ? 'these mistakes' : 'this one mistake'}; `,
            `${count(answer.tested ?? 0)} explanations were tried.`,
          ),
        )
      : null,
  );
}

/** The tensor that differs most. */
const worstOf = ({ tensors = [] }) =>
  tensors.reduce(
    (worst, one) => (one.differs > 0 && !(worst?.max_abs >= one.max_abs) ? one : worst),
    null,
  );

/** [place, size] of what an answer has evenly, each `step` places; else of those that it shows. */
function pointsOf(even, shown) {
  const points = even?.max_abs.map((size, i) => [i * even.step, size]) ?? shown;
  return points?.filter(([, size]) => Number.isFinite(Number(size)));
}

/** Runs of places, each from its first to before its last: "1 to 511, and 3 more runs". */
function runsOf(runs, more) {
  const told = runs.map(([from, to]) => (to - from > 1 ? `${count(from)} to ${count(to - 1)}` : count(from)));
  return told.join(', ') + (more ? `, and ${count(more)} more runs` : '');
}

/** Which rows and which pairs or columns are wrong, in words. */
function placesOf({ rows, more_rows: moreRows, pairs, more_pairs: morePairs, columns, ...where }) {
  const told = [
    rows?.length && `rows ${runsOf(rows, moreRows)}`,
    pairs?.length && `pairs ${runsOf(pairs, morePairs)}`,
    columns?.length && `columns ${runsOf(columns, where.more_columns)}`,
  ].filter(Boolean);
  if (!told.length) return '';
  const of = pairs?.length && where.columns_of_pair;
  return ` Wrong are ${told.join(' and ')}${of ? `; pair i is column ${of}` : ''}.`;
}

/** Where a tensor is wrong: by its pairs or columns, and by its positions. */
function whereOf(answer) {
  const tensor = worstOf(answer);
  if (!tensor) return null;
  const { where = {} } = tensor;
  const pairs = pointsOf(where.by_pair, tensor.pairs);
  const columns = pointsOf(where.by_column, tensor.columns);
  const rows = pointsOf(where.by_row, tensor.rows);
  const of = tensor.name ? `${tensor.name}, ` : '';
  const places = [
    pairs?.length
      ? bars(`Where: ${of}by pair`, 'pair', pairs, 'Pair 0 turns fastest; the last one is slowest.')
      : columns?.length
        ? bars(`Where: ${of}by column`, 'col.', columns, 'The largest distance in each column.')
        : null,
    rows?.length
      ? bars(`Where: ${of}by row`, 'row', rows, 'A test of one token sees row 0 alone.')
      : null,
  ].filter(Boolean);
  const at = (place) => `${tensor.name ?? ''}[${place}]`;
  return element(
    'section',
    {},
    element('div.two', {}, places),
    element(
      'p',
      {},
      `${count(tensor.differs)} of ${count(tensor.of)} elements differ`,
      tensor.first ? [', the first at ', element('code', {}, at(tensor.first))] : '',
      tensor.max_abs_at
        ? [`, the worst by ${brief(tensor.max_abs)} at `, element('code', {}, at(tensor.max_abs_at))]
        : '',
      '.',
      placesOf(where),
    ),
  );
}

/** What each part of the numbers is: a strip of the parts where they are runs of one axis, and a
 * sentence each. */
function findingsOf({ findings = [] }) {
  if (!findings.length) return null;
  const wide = findings.some(({ axis }) => axis !== findings[0].axis);
  const tone = ({ right }) => (right ? 'good' : 'bad');
  const place = ({ axis, from, to }) => (axis === 'mask' ? 'mask' : `${axis} ${from}:${to}`);
  return element(
    'section',
    {},
    element('h3', {}, 'What each part is'),
    wide || findings.length < 2
      ? null
      : element(
          'div.parts',
          { 'aria-hidden': 'true' },
          findings.map((one) =>
            element(`i.${tone(one)}`, { style: { 'flex-grow': String(one.to - one.from) } }),
          ),
        ),
    element(
      'ul',
      {},
      findings.map((one) =>
        element(
          'li',
          {},
          element('code', {}, place(one)),
          one.is === 'right' ? ' right' : ` ${one.is}, ${one.right ? 'right' : 'wrong'}`,
        ),
      ),
    ),
  );
}

/** Every tensor, with what it was taken for. */
function tensorsOf({ tensors = [] }) {
  const cell = (value) => element('td', {}, value ?? '–');
  return element(
    'details',
    {},
    element('summary', {}, tensors.length === 1 ? 'The tensor' : `${tensors.length} tensors`),
    element(
      'div.wide',
      { tabindex: 0, role: 'region', 'aria-label': 'Tensors' },
      element(
        'table',
        {},
        tableHead(['name', 'is', 'type', 'shape', 'verdict', 'differ', 'largest error']),
        element(
          'tbody',
          {},
          tensors.map((one) =>
            element(
              'tr',
              {},
              element('th', { scope: 'row' }, one.name || '–'),
              cell(one.role),
              cell(one.dtype),
              cell(one.shape?.join(' × ')),
              cell(one.verdict),
              cell(one.of === undefined ? null : `${count(one.differs)} of ${count(one.of)}`),
              cell(one.max_abs === undefined ? null : brief(one.max_abs)),
            ),
          ),
        ),
      ),
    ),
  );
}

/** A path of the API as one of the explorer. */
const explorerOf = (url) => pageAt(url.replace(/^\/v1\//, '/explore/'));

/** Where to go on: the right numbers, and both beside each other. */
function linksOf({ url, found_url: found }) {
  if (!url) return null;
  const right = readRequest(url);
  const beside = found && readRequest(found);
  const vs = beside && `${beside.name}?${writeQuery(beside.params)}`;
  return element(
    'div.row',
    {},
    element('a.chip', { href: explorerOf(url) }, 'See the right numbers'),
    beside
      ? element(
          'a.chip',
          { href: pageAt(explorerAt(right.name, right.params, { vs })) },
          'See both, and their difference',
        )
      : null,
  );
}

function alternativesOf({ alternatives = [] }) {
  if (!alternatives.length) return null;
  return element(
    'section',
    {},
    element('h3', {}, 'What else has these numbers'),
    element(
      'ul',
      {},
      alternatives.map((one) =>
        element('li', {}, capital(one.map(({ says }) => says).join(', and '))),
      ),
    ),
  );
}

/** What was claimed, or what was found in place of a claim. */
function claimOf({ claim, identified }) {
  const told = claim ?? identified;
  if (!told) return null;
  const params = Object.entries(told.params ?? {})
    .filter(([name]) => !['out', 'dtype', 'profile'].includes(name))
    .map(([name, value]) => `${name}=${value}`);
  return element(
    'p.faint',
    {},
    claim ? 'Claimed: ' : 'Found from the numbers: ',
    element('code', {}, [told.encoding, told.model, ...params].filter(Boolean).join(' ')),
    modelsText(told),
  );
}

/** The button that copies the report; where that is refused, the report stands below it. */
function reportButton(answer, of) {
  const report = element('pre.report', { tabindex: 0, 'aria-label': 'Report' });
  const shown = () => {
    report.textContent = reportOf(answer, of);
    button.parentNode.after(report);
    return report;
  };
  const copy = () => copyText(button, reportOf(answer, of), shown);
  const button = element('button.copy', { type: 'button', onclick: copy }, 'Copy as a report');
  return button;
}

const LABELS = { good: 'right', bad: 'wrong', unsure: 'not explained' };

/** What the tag says of a verdict. */
function labelOf({ verdict, tolerance_holds: holds }, tone) {
  if (tone !== 'unsure' || verdict !== 'close') return LABELS[tone];
  return holds === false ? 'outside the tolerance' : 'close';
}

/** The card of a verdict. of: {name, asked, slugs}. */
export function verdictOf(answer, of) {
  const tone = toneOf(answer);
  const notes = [...(answer.warnings ?? [])];
  const { next_best: next } = answer;
  if (tone === 'unsure' && answer.verdict !== 'close' && next)
    notes.push(`What comes nearest is ${next.mistake}, which is off by ${brief(next.max_abs)}.`);
  if (answer.verdict === 'close' && answer.tolerance_holds === undefined)
    notes.push('A tolerance says whether that is right: write atol=1e-4 into “Other parameters”.');
  if (answer.budget?.spent) notes.push('The search was ended before all explanations were tried.');
  return element(
    `article.verdict.${tone}`,
    {},
    element('p.tag', {}, `${of.name} · ${labelOf(answer, tone)}`),
    element('h2', { tabindex: -1 }, capital(answer.says ?? answer.verdict)),
    notes.map((note) => element('p', {}, capital(note))),
    repairOf(answer, of.slugs),
    whereOf(answer),
    findingsOf(answer),
    alternativesOf(answer),
    element('div.row.actions', {}, reportButton(answer, of), linksOf(answer)),
    claimOf(answer),
    tensorsOf(answer),
  );
}
