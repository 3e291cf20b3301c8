import { readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';
import exceptions from './names.json' with { type: 'json' };
import type { SourceFile } from './source-files.ts';

/** Functions are named with a verb and an object. They can't end in a preposition or start with a participle. */
const ENDS_IN_PREPOSITION =
  /(?:Of|In|To|At|By|For|From|With|On|Into|Over|Under|Above|Below|After|Before|Within|Without|Between|Beside|Behind|Through|Out|Up|Off|Until|Since|As|Than)$/;
const { irregular, words } = exceptions;
const names: readonly { readonly name: string; readonly reason: string }[] = exceptions.names;

/** Returns one line per function name that breaks the rule, and one per unused exception. */
export function badNames(files: readonly SourceFile[]): string[] {
  const found: string[] = [];
  const unused = new Set(names.map(({ name }) => name));
  for (const { path } of files) {
    const text = readFileSync(path, 'utf8');
    const check = (name: string, start: number): void => {
      if (unused.has(name) || names.some((exception) => exception.name === name)) unused.delete(name);
      else if (ENDS_IN_PREPOSITION.test(name) || beginsWithParticiple(name))
        found.push(`${path}:${text.slice(0, start).split('\n').length} ${name}`);
    };
    new Visitor({
      FunctionDeclaration({ id, start }) {
        if (id) check(id.name, start);
      },
      VariableDeclarator({ id, init, start }) {
        const isFunction = init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression';
        if (id.type === 'Identifier' && isFunction) check(id.name, start);
      },
      MethodDefinition({ key, kind, start }) {
        const isName = key.type === 'Identifier' || key.type === 'PrivateIdentifier';
        if (isName && kind === 'method') check(key.name, start);
      },
    }).visit(parseSync(path, text).program);
  }
  return [...found, ...[...unused].map((name) => `scripts/house/names.json: ${name} isn't used in src`)];
}

function beginsWithParticiple(name: string): boolean {
  const [word = ''] = /^[a-z]+/.exec(name) ?? [];
  return irregular.includes(word) || (/.{3}(?:ed|ing)$/.test(word) && !words.includes(word));
}
