import { HOSTILE, hostile } from '../commands/hostile-text.ts';

const LEVELS = 100_000;

const DEEP_LIST = '['.repeat(LEVELS) + ']'.repeat(LEVELS);

type Json = unknown;

/** Applies `change` to every scalar in the value. */
function eachLeaf(value: Json, change: (leaf: Json) => Json): Json {
  if (Array.isArray(value)) return value.map((entry) => eachLeaf(entry, change));
  if (typeof value !== 'object' || value === null) return change(value);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, eachLeaf(field, change)]));
}

/** Applies `change` to every field of the jobs or places except `id`. */
function eachField(value: Json, change: (field: Json) => Json): Json {
  if (Array.isArray(value)) return value.map((entry) => eachField(entry, change));
  const fields = Object.entries(value as object).map(([name, field]) => {
    if (name === 'items') return [name, eachField(field, change)];
    return [name, name === 'id' || name === 'nextCursor' ? field : change(field)];
  });
  return Object.fromEntries(fields);
}

const onJson = (change: (value: Json) => Json) => (good: string) => JSON.stringify(change(JSON.parse(good)));

const onFields = (change: (field: Json) => Json) => onJson((value) => eachField(value, change));

const withFirst = (more: string) => (good: string) => good.replace('{', `{${more},`);

/** Each turns a good body into a bad one. The status stays 200. */
export const BODIES: Readonly<Record<string, (good: string) => string | Buffer>> = {
  'a list of 100,000 levels': () => DEEP_LIST,
  '100,000 levels in a field that nobody knows': withFirst(`"x":${DEEP_LIST}`),
  '100,000 levels in every field': (good) =>
    good.replace(/"(title|locations|city|items|companyId)":/g, `"$1":${DEEP_LIST},"$1_":`),
  '5,000 levels in the title': (good) =>
    good.replace('"title":', `"title":${'['.repeat(5000)}${']'.repeat(5000)},"title_":`),
  'lone surrogates': (good) => good.replaceAll('a', '\\ud800a\\udfff'),
  'NUL in every text': onJson((value) =>
    eachLeaf(value, (leaf) => (typeof leaf === 'string' ? `${leaf}\0` : leaf)),
  ),
  'every key twice': (good) => good.replace(/"(\w+)":/g, '"$1":null,"$1":'),
  '__proto__ as a key': withFirst('"__proto__":{"id":7,"items":[],"error":{"code":"x"}}'),
  'constructor, toJSON and then as keys': withFirst(
    '"constructor":1,"toJSON":2,"then":3,"toString":4,"valueOf":5',
  ),
  'numbers beyond 2^53': (good) => good.replace(/:(\d+)/g, ':$1000000000000000000'),
  'negative numbers and fractions': (good) => good.replace(/:(\d+)/g, ':-$1.5'),
  'numbers as texts': (good) => good.replace(/:(\d+)/g, ':"$1"'),
  'null in every field': onFields(() => null),
  'a text in every field': onFields(() => 'x'),
  'a list of everything in every field': onFields(() => [null, 1, '', [], {}]),
  'an object of nonsense in every field': onFields(() => ({ length: -1, id: {}, city: [], kind: 0 })),
  'nonsense for dates': (good) => good.replace(/"\d{4}-\d\d-\d\dT[^"]*"/g, '"0000-99-99T99:99:99Z"'),
  'unknown values of every enum': (good) => good.replace(/"[A-Z]+(_[A-Z]+)?"/g, '"WHATEVER"'),
  'terminal escapes in every text and key': onJson(hostile),
  'escapes in every enum': (good) => good.replace(/"[A-Z]+(_[A-Z]+)?"/g, JSON.stringify(HOSTILE)),
  'texts of a megabyte': (good) => good.replace(/"title":"/, `$&${'x'.repeat(1_000_000)}`),
  '100,000 items': (good) => good.replace(/"(items|locations)":\[/, `$&${'{},'.repeat(100_000)}`),
  'JSON cut off': (good) => good.slice(0, -2),
  'a byte order mark': (good) => `\ufeff${good}`,
  'UTF-16': (good) => Buffer.from(good, 'utf16le'),
  'bytes that are no UTF-8': (good) => Buffer.from(good.replaceAll('a', '\xff'), 'latin1'),
  'NaN and Infinity': (good) => good.replace(/:\d+/g, ':NaN'),
  'null alone': () => 'null',
  'an empty object': () => '{}',
  nothing: () => '',
  'a web page': () => '<!doctype html><title>Sign in</title><p>Welcome',
  'an error body with 200': () => '{"error":{"code":"NOT_FOUND","message":"no"}}',
};

export const ERRORS: Readonly<Record<string, string>> = {
  'a code that is none': '{"error":{"code":7,"message":"x"}}',
  'the code __proto__':
    '{"error":{"code":"__proto__","message":"x","fields":{"__proto__":"x","constructor":"y"}}}',
  'the code of a bug': '{"error":{"code":"UNEXPECTED","message":"x"}}',
  'the code of an interruption': '{"error":{"code":"INTERRUPTED","message":"x"}}',
  'a message that is an object': '{"error":{"code":"VALIDATION_FAILED","message":{},"fields":[1,[2]]}}',
  'fields of 5,000 levels': `{"error":{"code":"VALIDATION_FAILED","message":"x","fields":{"title":${'['.repeat(5000)}${']'.repeat(5000)}}}}`,
  '50,000 fields': `{"error":{"code":"VALIDATION_FAILED","message":"x","fields":{${Array.from({ length: 50_000 }, (_, at) => `"f${at}":"no"`)}}}}`,
  'a message of a megabyte': `{"error":{"code":"VALIDATION_FAILED","message":"${'x'.repeat(1_000_000)}"}}`,
  'escapes in all of it': JSON.stringify({
    error: { code: HOSTILE, message: HOSTILE, fields: { [HOSTILE]: HOSTILE } },
  }),
};
