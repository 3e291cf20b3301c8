import { graphemes, graphemeWidth } from './width.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Whether the locale says that a terminal shows no UTF-8: `C`, `POSIX`, or one with another character set. LC_ALL
 * decides, then LC_CTYPE, then LANG; one that says nothing of it is taken for UTF-8, as most are.
 */
export function isAsciiLocale({ LC_ALL, LC_CTYPE, LANG }: Environment): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG || '';
  if (locale === 'C' || locale === 'POSIX') return true;
  const characterSet = /\.([^@]+)/.exec(locale)?.[1];
  return characterSet !== undefined && !/^utf-?8$/i.test(characterSet);
}

/** What stands for our own signs and those of the questions: each as wide as the sign, so that columns stay in line. */
const STAND_INS: ReadonlyMap<string, string> = new Map(
  [
    ['✓✔', '+'],
    ['✗✘✖×', 'x'],
    ['…', '~'],
    ['·–—─━', '-'],
    ['│┃', '|'],
    ['┌┐└┘├┤┬┴┼╭╮╰╯', '+'],
    ['→▶▸❯›', '>'],
    ['←◀◂‹⏎', '<'],
    ['↑▲', '^'],
    ['↓▼', 'v'],
    ['█▓▒◼', '#'],
    ['░', '.'],
    ['◇◆◉•⚠', '*'],
    ['◯◻', 'o'],
    ['‘’ʼʻ', "'"],
    ['“”', '"'],
  ].flatMap(([signs = '', standIn = '']) => Array.from(signs, (sign) => [sign, standIn])),
);

/** Text for a terminal that shows ASCII alone: stand-ins for signs, letters without their accents, `?` for the rest. */
export function asciiText(text: string): string {
  return text.replace(/[^\0-\x7f]+/g, (run) => Array.from(graphemes(run), standInFor).join(''));
}

function standInFor(sign: string): string {
  const [base = ''] = sign.normalize('NFD');
  if (/^[\0-\x7f]$/.test(base)) return base;
  // The frames of a spinner.
  if (/^[\u2800-\u28ff]$/.test(base)) return '*';
  return STAND_INS.get(base) ?? '?'.repeat(graphemeWidth(sign));
}
