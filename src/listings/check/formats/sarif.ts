import { isAbsolute, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { escapedJson } from '../../../contract/outside-text.ts';
import type { Report } from '../check-files.ts';
import { type Finding, RULES, type Rule } from '../finding.ts';
import { omitted } from '../tally.ts';
import { sentence } from './summary.ts';

const RULE_IDS = Object.keys(RULES) as Rule[];

/** SARIF 2.1.0, which code scanning takes: every rule is described, every finding points at its line. */
export function renderSarif(report: Report): string {
  const { findings } = report;
  const more = omitted(report);
  const driver = {
    name: 'partner',
    rules: RULE_IDS.map((id) => ({ id, shortDescription: { text: `${RULES[id]}.` } })),
  };
  const run = {
    tool: { driver },
    columnKind: 'unicodeCodePoints',
    results: findings.map(result),
    ...(more === 0 ? {} : { properties: { omitted: more } }),
  };
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  return escapedJson(log);
}

function result(finding: Finding) {
  const { file, line, column, level, rule } = finding;
  const region = { startLine: line, startColumn: column };
  return {
    ruleId: rule,
    ruleIndex: RULE_IDS.indexOf(rule),
    level,
    message: { text: sentence(finding) },
    locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(file) }, region } }],
  };
}

/** Relative paths stay relative: code scanning takes them from the root of the repository. */
function uriOf(file: string): string {
  if (isAbsolute(file)) return pathToFileURL(file).href;
  return file
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .split(sep)
    .map(encodeURIComponent)
    .join('/');
}
