import { isAbsolute, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Finding, RULES, type Rule, sentence } from '../listings/check/finding.ts';
import { countOmitted } from '../listings/check/tally.ts';
import { formatJson } from '../text/outside-text.ts';
import type { Run } from './run.ts';

const RULE_IDS = Object.keys(RULES) as Rule[];

export function renderSarif({ found }: Run): string {
  const more = countOmitted(found);
  const driver = {
    name: 'partner',
    rules: RULE_IDS.map((id) => ({ id, shortDescription: { text: `${RULES[id]}.` } })),
  };
  const run = {
    tool: { driver },
    columnKind: 'unicodeCodePoints',
    results: found.findings.map(toResult),
    ...(more === 0 ? {} : { properties: { omitted: more } }),
  };
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  return formatJson(log);
}

function toResult(finding: Finding) {
  const { file, line, column, cell, level, rule } = finding;
  const artifactLocation = { uri: toUri(file) };
  const region = { startLine: line, startColumn: column };
  return {
    ruleId: rule,
    ruleIndex: RULE_IDS.indexOf(rule),
    level,
    message: { text: sentence(finding) },
    locations: [
      cell === undefined
        ? { physicalLocation: { artifactLocation, region } }
        : { physicalLocation: { artifactLocation }, logicalLocations: [{ name: cell }] },
    ],
  };
}

/** Relative paths stay relative, because code scanning resolves them from the repository root. */
function toUri(file: string): string {
  if (isAbsolute(file)) return pathToFileURL(file).href;
  return file
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .split(sep)
    .map(encodeURIComponent)
    .join('/');
}
