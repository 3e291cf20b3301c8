import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { FieldPath } from '../../../src/contract/problems.ts';
import { attempt } from '../../../src/contract/system-errors.ts';
import { type JsonDocument, readJson } from '../../../src/listings/read/json.ts';
import { times } from '../../times.ts';
import faults from './json-faults.json' with { type: 'json' };
import positions from './positions.json' with { type: 'json' };

function documentOf(text: string): JsonDocument {
  const reading = readJson(text);
  assert.ok(reading.ok, reading.ok ? '' : reading.fault.message);
  return reading.document;
}

function faultOf(text: string) {
  const reading = readJson(text);
  assert.ok(!reading.ok, `${text.slice(0, 60)} was read`);
  return reading.fault;
}

/** Returns `line:column` of a path. */
function at(document: JsonDocument, path: FieldPath, part?: 'value' | 'name'): string {
  const { line, column } = document.locate(path, part);
  return `${line}:${column}`;
}

describe('readJson: what is JSON', () => {
  it('parses all output of JSON.stringify to the same value', () =>
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), fc.constantFrom(undefined, 2, '\t'), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent);
        assert.deepEqual(documentOf(text).value, JSON.parse(text));
      }),
      { numRuns: times(150, 5_000) },
    ));

  it('accepts and refuses the same texts as JSON.parse, even with one changed character', () => {
    const edit = fc.record({
      json: fc.json({ maxDepth: 3 }),
      at: fc.nat(),
      by: fc.constantFrom(...'{}[],:"\\0-+.eEtfn \u00a0\n\''),
    });
    fc.assert(
      fc.property(edit, ({ json, at: position, by }) => {
        const index = position % (json.length + 1);
        const text = json.slice(0, index) + by + json.slice(index + 1);
        assert.equal(readJson(text).ok, attempt(() => JSON.parse(text)) !== undefined, text);
      }),
      { numRuns: times(600, 20_000) },
    );
  });

  it("returns the position of each value's literal", () =>
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.constantFrom(undefined, 2), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent);
        const document = documentOf(text);
        for (const [path, value] of partsOf(document.value)) {
          const { line, column } = document.locate(path);
          const [source = ''] = [text.split('\n')[line - 1]];
          const rest = Array.from(source)
            .slice(column - 1)
            .join('');
          const literal = JSON.stringify(value);
          const begins = typeof value === 'object' && value !== null ? literal.slice(0, 1) : literal;
          assert.ok(rest.startsWith(begins), `${JSON.stringify(path)} at ${line}:${column} of ${text}`);
        }
      }),
      { numRuns: times(100, 3_000) },
    ));

  it('reads __proto__ as a field without changing the prototype', () => {
    const value = documentOf('{"__proto__": {"admin": true}, "constructor": 1}').value as Record<
      string,
      unknown
    >;
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.equal(value.admin, undefined);
    assert.deepEqual(Object.keys(value), ['__proto__', 'constructor']);
    assert.equal(({} as Record<string, unknown>).admin, undefined);
  });
});

describe('readJson: lines and columns', () => {
  const cases = positions as [what: string, text: string, path: FieldPath, place: string][];
  for (const [what, text, path, place] of cases)
    it(`counts ${what}`, () => assert.equal(at(documentOf(text), path), place));

  it('returns the position of a name', () => {
    const document = documentOf('{\n  "titel": "Welder"\n}');
    assert.equal(at(document, ['titel'], 'name'), '2:3');
    assert.equal(at(document, ['titel']), '2:12');
  });

  it('returns the position of the nearest value around a missing one', () => {
    const document = documentOf('{\n "questions": [\n  {"prompt": "Why?"}\n ]\n}');
    assert.equal(at(document, ['questions', 0, 'order']), '3:3');
    assert.equal(at(document, ['questions', 7]), '2:15');
    assert.equal(at(document, ['title']), '1:1');
  });

  it('returns array entries as documents with positions in the whole text', () => {
    const entries = [...documentOf('[\n {"a": 1},\n {"b": 2, "b": 3}\n]').entries()];
    const shown = entries.map((entry) => {
      const flaws = entry.flaws.map(({ path }) => path).join();
      return `${JSON.stringify(entry.value)} ${at(entry, [])} ${at(entry, ['b'])} ${flaws}`;
    });
    assert.deepEqual(shown, ['{"a":1} 2:2 2:2 ', '{"b":3} 3:2 3:16 b']);
  });
});

describe('readJson: what is not JSON', () => {
  for (const { text, at: place, message, hint = '\\w' } of faults)
    it(`reports the problem of ${JSON.stringify(text)} at ${place}, with a fix`, () => {
      const fault = faultOf(text);
      assert.equal(`${fault.line}:${fault.column}`, place);
      assert.match(fault.message, new RegExp(message));
      assert.match(fault.hint ?? '', new RegExp(hint));
      assert.equal(fault.rule, 'json-syntax');
    });

  it('refuses 100,000 open brackets without a stack overflow', () => {
    for (const text of [
      '['.repeat(100_000),
      '{"a":'.repeat(100_000),
      `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
    ])
      assert.match(faultOf(text).message, /nested more than 64 levels deep/);
  });

  it('quotes only a short part of a text', () => {
    for (const text of [
      `{"a":${'x'.repeat(1e6)}}`,
      `{${'x'.repeat(1e6)}:1}`,
      `{"${'x'.repeat(1e6)}" 1}`,
      `{"a":0${'1'.repeat(1e6)}}`,
    ]) {
      const { message, hint = '' } = faultOf(text);
      assert.ok(message.length < 200 && hint.length < 200, text.slice(0, 20));
    }
  });
});

const LOSSY = '9007199254740993 -9007199254740993 90071992547409931e0 1e400 15.0000000000000001 1e-999999999';
const EXACT =
  '9007199254740991 -9007199254740992 1e3 1.5e3 150000000000000000e-16 0e999999999 0.1 1.0000000000000000 1e22';

describe('readJson: valid JSON that would lose data', () => {
  it('reports a duplicate field with both positions', () => {
    const { value, flaws } = documentOf('{\n "title": "A",\n "x": {"title": 1},\n "title": "B"\n}');
    assert.deepEqual(value, { title: 'B', x: { title: 1 } });
    assert.equal(flaws.length, 1);
    const [flaw] = flaws;
    const expected = ['json-repeated-field', ['title'], 4, 2];
    assert.deepEqual([flaw?.rule, flaw?.path, flaw?.line, flaw?.column], expected);
    assert.match(flaw?.message ?? '', /first on line 2, column 2/);
  });

  for (const literal of LOSSY.split(' '))
    it(`reports ${literal}, which would lose digits`, () => {
      const { flaws } = documentOf(`{"budgets": [{"budgetCents": ${literal}}]}`);
      const places = flaws.map(({ rule, path, column }) => [rule, path, column]);
      assert.deepEqual(places, [['json-lost-digits', ['budgets', 0, 'budgetCents'], 30]]);
      assert.ok(flaws[0]?.message.includes(literal), flaws[0]?.message);
    });

  for (const literal of EXACT.split(' '))
    it(`accepts ${literal}, which is stored exactly`, () =>
      assert.deepEqual(documentOf(`[${literal}]`).flaws, []));

  it('reports half of a character, but accepts both halves', () => {
    assert.equal(documentOf('{"a":"\\ud83d"}').flaws[0]?.rule, 'json-half-character');
    assert.deepEqual(documentOf('{"a":"\\ud83d\\ude80"}').flaws, []);
  });
});

function* partsOf(value: unknown, path: (string | number)[] = []): Generator<[FieldPath, unknown]> {
  yield [path, value];
  if (Array.isArray(value))
    for (const [index, entry] of value.entries()) yield* partsOf(entry, [...path, index]);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, entry] of Object.entries(value)) yield* partsOf(entry, [...path, name]);
  }
}
