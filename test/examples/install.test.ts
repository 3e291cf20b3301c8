import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Every text that a user reads or copies; what `--help` shows is in docs/commands. */
const TEXTS = [
  'README.md',
  ...['docs', 'examples', 'src/cli', 'scripts'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true })
      .map((name) => join(folder, String(name)))
      .filter((name) => /\.(?:md|ya?ml|sh|ts|mjs|json)$/.test(name)),
  ),
];

/** A command that fetches packages, and what it fetches: of one that also runs it, the first word. */
const FETCHES = [
  /\b(?:npm|pnpm|yarn|bun) (?:install|i|add)((?: +[^\s`|;&)]+)*)/g,
  /\b(?:npx|bunx|pnpx|(?:npm|pnpm|yarn|bun) (?:exec|x|dlx|create|init))((?: +-\S+)* +[^\s`|;&)]+)/g,
];

/** A file, a git address, what the user puts in their place, or what `npm ci` has installed in the checkout. */
const OURS = /^(?:\.{0,2}\/|git\+|URL\b|"?\$)|\.tgz$/;
const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** The words of a command before its comment that are no flags. */
function packagesIn(words: string): string[] {
  const [before = ''] = words.split(' #');
  return before.split(/ +/).filter((word) => word !== '' && !word.startsWith('-'));
}

describe('what a user is told to install', () => {
  it('is never a package of a registry: those of our names there are not ours', () => {
    const foreign = TEXTS.flatMap((name) => {
      const text = readFileSync(join(ROOT, name), 'utf8');
      return FETCHES.flatMap((fetches) => [...text.matchAll(fetches)])
        .flatMap(([, words = '']) => packagesIn(words))
        .filter((word) => !OURS.test(word) && !Object.hasOwn(devDependencies, word))
        .map((word) => `${name}: ${word}`);
    });
    assert.deepEqual(foreign, []);
  });
});
