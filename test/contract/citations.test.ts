import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const CITED_IN = ['src/**', 'test/**', 'docs/**', 'deploy/**', '*.md'];

const decisions = numberedRules(read('docs/decisions.md').split('## States')[0] ?? '');
const sections = new Map(
  read('docs/service.md')
    .split(/^###? (?=\d)/m)
    .slice(1)
    .map((section) => [/^[\d.]*\d/.exec(section)?.[0] ?? '', numberedRules(section)]),
);

function numberedRules(text: string): number[] {
  return Array.from(text.matchAll(/^(\d+)\. /gm), ([, number]) => Number(number));
}

/** The numbers of each citation, such as "7, 8 and 9". A comment may break it over two lines. */
function citations(word: string): { place: string; numbers: string[]; rules: string[] }[] {
  const list = String.raw`\d+(?:\.\d)?(?:(?:, | and | to )\d{1,2}(?:\.\d)?(?![\d%]))*`;
  const pattern = new RegExp(String.raw`\b${word}s? (${list})(?:, rules? (${list}))?`, 'gi');
  return globSync(CITED_IN, { cwd: root.pathname, ignore: ['docs/service.md'] }).flatMap((path) => {
    const text = read(path).replaceAll(/\n\s*(?:\*|\/\/)?\s*/g, ' ');
    return Array.from(text.matchAll(pattern), ([cited, numbers, rules]) => ({
      place: `${path}: ${cited}`,
      numbers: numbers?.match(/[\d.]+/g) ?? [],
      rules: rules?.match(/\d+/g) ?? [],
    }));
  });
}

describe('every rule that is cited can be opened in docs', () => {
  it('"decision N" is in docs/decisions.md', () => {
    const found = citations('decision');
    assert.ok(found.length > 100);
    const missing = found.filter(
      ({ numbers }) => !numbers.every((number) => decisions.includes(Number(number))),
    );
    assert.deepEqual(missing, []);
  });

  it('"section N, rule M" is in docs/service.md', () => {
    const found = citations('section');
    assert.ok(found.length > 40);
    const isThere = (number: string, rules: readonly string[]) =>
      rules.every((rule) => sections.get(number)?.includes(Number(rule))) && sections.has(number);
    const actual = found.filter(({ numbers, rules }) => !numbers.every((number) => isThere(number, rules)));
    assert.deepEqual(actual, []);
  });
});
