import assert from 'node:assert/strict';
import { type FieldPath, fieldName, type Problem, toFields } from '../../src/contract/problems.ts';

const invalid = (path: FieldPath, message: string, hint?: string): Problem => ({
  path,
  kind: 'invalid',
  message,
  ...(hint === undefined ? {} : { hint }),
});

describe('the name of a field in an error body (2.7)', () => {
  const names: readonly (readonly [FieldPath, string])[] = [
    [['title'], 'title'],
    [['questions', 0, 'prompt'], 'questions[0].prompt'],
    [['questions', 12, 'options', 3], 'questions[12].options[3]'],
    [[2, 'title'], '[2].title'],
    [[], 'body'],
  ];
  it('is its path', () => {
    for (const [path, name] of names) assert.equal(fieldName(path), name);
  });
});

describe('the fields of an error body (2.7)', () => {
  it('name each problem with what to do about it', () =>
    assert.deepEqual(toFields([invalid(['titel'], 'is unknown', 'did you mean title?')]), {
      titel: 'is unknown; did you mean title?',
    }));

  it('name a field that every object has', () => {
    for (const name of ['constructor', 'toString', '__proto__'])
      assert.equal(JSON.stringify(toFields([invalid([name], 'is unknown')])), `{"${name}":"is unknown"}`);
  });
});
