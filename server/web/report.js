// SPDX-License-Identifier: Apache-2.0
// report.js - a verdict as Markdown, for an issue of a repository.

import { urlOf } from './service.js';
import { writeQuery } from './query.js';

const number = (value) =>
  Number.isFinite(value) ? String(Number(value.toPrecision(4))) : String(value);

/** A word of a shell, in quotes where it needs them. */
const quoted = (word) =>
  /^[\w.,:/@+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
/** A text as a cell of a table. */
const cell = (text) => text.replace(/[\\|]/g, '\\$&');

const fence = (kind, lines) => ['', '```' + kind, ...lines, '```'];

/** The claim as name=value, without what every claim has. */
function claimText({ claim, identified }) {
  const { encoding, model, params = {} } = claim ?? identified ?? {};
  const told = Object.entries(params).map(([name, value]) => `${name}=${value}`);
  return [encoding && `encoding=${encoding}`, model && `model=${model}`, ...told]
    .filter(Boolean)
    .join(' ');
}

/** The models that have what was found, the most used first; "": none, or it was claimed. */
export function modelsText({ models = [], model_count: count = 0 }) {
  if (!count) return '';
  const shown = models.slice(0, 3);
  const more = count > shown.length ? ` and ${count - shown.length} more` : '';
  return `, as in ${shown.join(', ')}${more}`;
}

function repairLines({ mistakes = [] }) {
  return mistakes.flatMap(({ repair = [], code }) => [
    ...repair.flatMap((one) => [
      `- ${one.parameter} = ${one.found}`,
      `+ ${one.parameter} = ${one.expected}`,
    ]),
    ...(code ? code.split('\n').map((text) => `+ ${text}`) : []),
  ]);
}

/** The report of a verdict about the file `name`. asked: the query that was asked. */
export function reportOf(answer, { name, asked, type }) {
  const lines = [`### ${answer.says}`, ''];
  const claim = claimText(answer);
  const models = modelsText(answer.identified ?? {});
  lines.push(`File \`${name}\`, verdict \`${answer.verdict}\`.`);
  if (claim)
    lines.push('', answer.claim ? 'It was meant to be' : 'It was found to be', `\`${claim}\`${models}.`);
  const repair = repairLines(answer);
  const fixes = (answer.mistakes ?? []).map(({ fix }) => fix).filter(Boolean);
  if (repair.length)
    lines.push('', `Repair: ${fixes.join('; ')}`.trim(), ...fence('diff', repair));
  const evidence = answer.mistakes?.[0]?.evidence;
  if (evidence)
    lines.push(
      '',
      `Largest error ${number(evidence.without)} as sent, ${number(evidence.max_abs)} with the repair.`,
    );
  const findings = answer.findings ?? [];
  if (findings.length)
    lines.push(
      '',
      ...findings.map(
        (one) =>
          `- ${one.axis === 'mask' ? 'mask' : `${one.axis} ${one.from}:${one.to}`}: ${one.is} ` +
          `(${one.right ? 'right' : 'wrong'})`,
      ),
    );
  const rows = (answer.tensors ?? []).filter((one) => one.of !== undefined);
  if (rows.length)
    lines.push(
      '',
      '| tensor | is | type | shape | differ | first | largest error |',
      '|---|---|---|---|---|---|---|',
      ...rows.map(
        (one) =>
          `| ${cell(one.name || '–')} | ${one.role} | ${one.dtype} | ${one.shape.join(' x ')} ` +
          `| ${one.differs} of ${one.of} | ${one.first ? `[${one.first}]` : '–'} | ${number(one.max_abs)} |`,
      ),
    );
  const query = writeQuery(asked);
  lines.push(
    ...fence('sh', [
      `curl --data-binary ${quoted(`@${name}`)} -H 'Content-Type: ${type}' \\`,
      `  '${urlOf('verify', {})}${query ? `?${query}` : ''}'`,
    ]),
  );
  return `${lines.join('\n')}\n`;
}
