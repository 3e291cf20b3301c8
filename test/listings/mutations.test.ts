import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createDraw } from '../../src/engine/lab/draws.ts';
import type { Finding } from '../../src/listings/check/finding.ts';
import { checkListing } from '../../src/listings/check/findings.ts';
import { readEntries } from '../../src/listings/read/read.ts';
import { temporaryDirectory } from '../engine/temporary-directory.ts';
import { times } from '../times.ts';
import { fewPlaces } from './places.ts';

/** Returns a random whole number from 0 up to, but not including, `below`. */
type Draw = (below: number) => number;

const EXAMPLES = ['jobs', 'wrong', 'formats', 'formats/markdown'].flatMap((name) => {
  const directory = fileURLToPath(new URL(`../../examples/${name}/`, import.meta.url));
  const texts = readdirSync(directory).filter((file) => /\.(?:json|yaml|md)$/.test(file));
  return texts.map((file) => ({ ending: extname(file), bytes: readFileSync(directory + file) }));
});

/** Texts to insert at a random position. */
const INSERTED = [
  ...'\ufeff|\0|\r|\r\n|\u2028|"|\\|\\u|\\ud83d|\\udc00x|{|}|[|]|,|[[|//|/*|\''.split('|'),
  ...'"title":1,|"__proto__":{},|1e999|-0|12345678901234567890|1e-400'.split('|'),
  ...'\t|- |: |? |&a |*a|!!x |<<: *a|---\n|...\n|%YAML 1.1\n|>-\n|# |\n   x: y\n'.split('|'),
  ...['{'.repeat(70), '['.repeat(5_000), '{"a":'.repeat(100), `"${'x'.repeat(3_000)}"`, '🚀'.repeat(50)],
].map((text) => Buffer.from(text));

const MUTATIONS: readonly ((bytes: Buffer, draw: Draw) => Buffer)[] = [
  function flipped(bytes, draw) {
    const copy = Buffer.from(bytes);
    for (let count = 1 + draw(8); count > 0; count--) {
      const at = draw(copy.length);
      copy[at] = (copy[at] ?? 0) ^ (1 << draw(8));
    }
    return copy;
  },
  function truncated(bytes, draw) {
    return bytes.subarray(0, draw(bytes.length));
  },
  function inserted(bytes, draw) {
    const at = draw(bytes.length + 1);
    const part = INSERTED[draw(INSERTED.length)] ?? Buffer.alloc(0);
    return Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)]);
  },
  function cut(bytes, draw) {
    const from = draw(bytes.length);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + 1 + draw(40))]);
  },
  function otherValues(bytes, draw) {
    const values = 'null|{}|[]|[[[1]]]|1e308|-1|true|""|9007199254740993|"\\ud800"'.split('|');
    const value = values[draw(values.length)] ?? '';
    return Buffer.from(
      bytes.toString().replace(/: (?:"[^"]*"|-?\d+|\[|\{)/g, (all) => (draw(6) ? all : `: ${value}`)),
    );
  },
  function otherEncoding(bytes, draw) {
    return Buffer.from(bytes.toString(), draw(2) ? 'utf16le' : 'latin1');
  },
];

interface Example {
  readonly ending: string;
  readonly bytes: Buffer;
}

function inSomeForm({ ending, bytes }: Example, draw: Draw): Example {
  const form = draw(4);
  if (ending === '.yaml' && form < 2) return { ending, bytes: Buffer.from(`${bytes}---\n${bytes}`) };
  if (ending !== '.json' || form === 3) return { ending, bytes };
  if (form === 2) return { ending, bytes: Buffer.from(`[${bytes}, ${bytes}]`) };
  if (form === 1) return { ending: '.jsonc', bytes: Buffer.from(`[${bytes}, ${bytes}, /* end */]`) };
  const line = bytes.toString().replace(/\n\s*/g, ' ');
  return { ending: '.ndjson', bytes: Buffer.from(`${line}\n`.repeat(1 + draw(3))) };
}

/** Generates example files with one to three mutations. Depends on a seed. */
function* mutatedFiles(count: number, seed: number): Generator<{ name: string; bytes: Buffer }> {
  for (let index = 0; index < count; index++) {
    const share = createDraw(seed, index);
    const draw: Draw = (below) => Math.floor(share() * below);
    const example = inSomeForm(EXAMPLES[draw(EXAMPLES.length)] ?? assert.fail(), draw);
    let { bytes } = example;
    for (let times = 1 + draw(3); times > 0 && bytes.length > 0; times--)
      bytes = MUTATIONS[draw(MUTATIONS.length)]?.(bytes, draw) ?? bytes;
    yield { name: `mutated${example.ending}`, bytes };
  }
}

async function findingsIn(path: string, bytes: Buffer): Promise<Finding[]> {
  await writeFile(path, bytes);
  const found: Finding[] = [];
  for await (const { listing, finding, others = [] } of readEntries(path, { stdin: Readable.from([]) })) {
    if (finding !== undefined) found.push(finding, ...others);
    else found.push(...checkListing(listing, { draft: false, places: fewPlaces }).findings);
  }
  return found;
}

const [COUNT, SEED] = [times(120, 25_000), times(12, 2_026)];

/** A check of any file only returns findings, with positions that exist. */
describe(`${COUNT} mutated job files`, () => {
  const path = temporaryDirectory();

  it('cause only findings, each with a message and a position in the file', async () => {
    let invalid = 0;
    for (const { name, bytes } of mutatedFiles(COUNT, SEED)) {
      const shown = `${name}: ${JSON.stringify(bytes.toString('latin1'))}`;
      const findings = await findingsIn(path(name), bytes).catch((error) =>
        assert.fail(`${error.stack}\n${shown}`),
      );
      const lines = bytes.toString().split(name.endsWith('.ndjson') ? '\n' : /\r\n|\n|\r/);
      for (const { line, column, message, field } of findings) {
        const length = [...(lines[line - 1] ?? assert.fail(`line ${line}: ${message}\n${shown}`))].length;
        assert.ok(column >= 1 && column <= length + 1, `${line}:${column} ${message}\n${shown}`);
        assert.ok(message !== '' && field.length <= 121, shown);
      }
      if (findings.some(({ level }) => level === 'error')) invalid++;
    }
    assert.ok(invalid > COUNT / 2, `${invalid} of ${COUNT} were invalid`);
  });
});
