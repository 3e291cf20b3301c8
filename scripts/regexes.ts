import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { RegExpParser } from '@eslint-community/regexpp';
import { parseSync, Visitor } from 'oxc-parser';
import others from '../src/listings/read/other-formats.json' with { type: 'json' };
import { sourceFiles } from './house/source-files.ts';
import bounded from './regexes/bounded.json' with { type: 'json' };
import { slowRepetitions } from './regexes/slow.ts';

/**
 * Fails if a regular expression in src can need more than linear time. `--list` prints each one with its verdict.
 * `regexes/bounded.json` lists exceptions for short texts, each with a reason.
 */
interface Found {
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

const found: Found[] = [];
const builders: string[] = [];
for (const { path } of sourceFiles('src')) {
  const text = readFileSync(path, 'utf8');
  const visitor = new Visitor({
    Literal(node) {
      if (!('regex' in node)) return;
      const line = text.slice(0, node.start).split('\n').length;
      found.push({ place: `${path}:${line}`, source: node.regex.pattern, flags: node.regex.flags });
    },
    NewExpression({ callee }) {
      if (callee.type === 'Identifier' && callee.name === 'RegExp') builders.push(path);
    },
  });
  visitor.visit(parseSync(path, text).program);
}
// Records expressions that modules build at load time, because the parser doesn't find them.
let place = '';
globalThis.RegExp = new Proxy(RegExp, {
  construct(target, args: [string | RegExp, string?]) {
    const built = Reflect.construct(target, args) as RegExp;
    const isOwn = !new Error().stack?.split('\n')[2]?.includes('node_modules');
    if (place !== '' && isOwn) found.push({ place, source: built.source, flags: built.flags });
    return built;
  },
});
for (const path of new Set(builders)) {
  place = path;
  await import(resolve(path));
}
place = 'src/listings/read/other-formats.json';
for (const { begins, flags } of others.texts) new RegExp(begins, flags);
place = '';

const reasons = new Map<string, string>(Object.entries(bounded));
const unused = new Set(reasons.keys());
let slow = 0;
for (const { place, source, flags } of found) {
  const written = `/${source}/${flags}`;
  const repetitions = slowRepetitions(new RegExpParser().parseLiteral(written));
  const reason = reasons.get(written);
  unused.delete(written);
  const verdict =
    repetitions.length === 0
      ? 'linear'
      : reason === undefined
        ? `SLOW: ${repetitions.join('  ')}`
        : `bounded: ${reason}`;
  if (verdict.startsWith('SLOW')) slow++;
  if (verdict.startsWith('SLOW') || process.argv.includes('--list'))
    console.log(`${place} ${written} ${verdict}`);
}
for (const written of unused) console.log(`regexes/bounded.json: ${written} isn't used in src`);
console.log(`${found.length} regular expressions, ${slow} of them slow`);
process.exitCode = slow + unused.size === 0 ? 0 : 1;
