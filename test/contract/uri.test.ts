import assert from 'node:assert/strict';
import { checkJobUpdate } from '../../src/contract/check.ts';
import { fieldsOf } from '../../src/contract/problems.ts';
import { isWebLink, URI } from '../../src/contract/uri.ts';
import { jsonSchema } from '../../src/listings/schema.ts';

const ABSOLUTE = [
  'https://ats.example/jobs/1?a=b&c=%20#d',
  'HTTP://ATS.EXAMPLE',
  'http://user:secret@ats.example:8443/',
  'https://[2001:db8::7]:443/jobs',
  'https://b%C3%BCro.example/jobs/1',
  'urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
  'mailto:jobs@ats.example',
  'x-ats:4711',
  'x-ats:',
  'x-ats:?job=4711',
  'tag:ats.example,2026:jobs/1',
  'file:///srv/jobs/1',
  'data:,a',
  'javascript:alert(1)',
  "https://ats.example/a(b)';*!$&,=+~_.-",
  'ats+v1.0-b://opening//1',
];

const NONE = [
  '',
  'ats.example/jobs/1',
  '/jobs/1',
  '//ats.example/jobs/1',
  '4711:jobs',
  ':jobs',
  'two words',
  'https://ats.example/two words',
  ' https://ats.example/jobs/1',
  'https://ats.example/jobs/1 ',
  'https://ats.example/jobs/1\n',
  'https://ats.example/50%',
  'https://ats.example/%zz',
  'https://ats.example/büro',
  'https://ats.example/a|b',
  'https://ats.example/[a]',
  'https://ats.example:port/',
  'https://[::1',
  'https://',
  'https:',
  'https:ats.example',
  'http:///jobs/1',
  'https://ats.example/#a#b',
  'https://ats.example/\ud800',
  'x-ats:\\1',
  'urn:a\tb',
];

const property = jsonSchema('job-input') as { properties: { atsJobUrl: { anyOf: { pattern?: string }[] } } };
const pattern = new RegExp(property.properties.atsJobUrl.anyOf[0]?.pattern ?? '(?!)', 'u');

describe('atsJobUrl is any absolute URI by RFC 3986, to the checker as to the schema', () => {
  it('takes one as it is', () => {
    for (const uri of ABSOLUTE) {
      const checked = checkJobUpdate({ atsJobUrl: uri });
      assert.deepEqual(checked, { ok: true, value: { atsJobUrl: uri } });
      assert.match(uri, pattern);
    }
  });

  it('refuses all else', () => {
    for (const text of NONE) {
      assert.ok(!checkJobUpdate({ atsJobUrl: text }).ok, text);
      assert.doesNotMatch(text, pattern);
    }
  });

  it('says how to write what only lacks escapes', () => {
    const hints = {
      'https://ats.example/two words': 'https://ats.example/two%20words',
      'https://ats.example/büro ': 'https://ats.example/b%C3%BCro',
      'https://ats.example/50%': 'https://ats.example/50%25',
      'ats.example/jobs/1': 'it whole: https://ats.example/jobs/1',
      'https://ats.example/\ud800 1': 'it whole: https://ats.example/jobs/1',
    };
    for (const [text, hint] of Object.entries(hints)) {
      const checked = checkJobUpdate({ atsJobUrl: text });
      const { atsJobUrl = '' } = checked.ok ? {} : fieldsOf(checked.problems);
      assert.match(atsJobUrl, new RegExp(`must be an absolute URI, not .*; write ${hint}(?: ·|$)`));
    }
  });

  it('answers at once for a long text', () => {
    const startedAt = performance.now();
    for (const part of ['a', '%20', ':', '@', '[', '//', '%']) {
      for (const start of ['https://', 'x:', '']) URI.test(`${start}${part.repeat(2_000)} `);
    }
    assert.ok(performance.now() - startedAt < 500);
  });
});

describe('only an http or https URI is a link', () => {
  it('and javascript: never', () => {
    const links = ABSOLUTE.filter(isWebLink);
    assert.deepEqual(
      links,
      ABSOLUTE.filter((uri) => /^https?:/i.test(uri)),
    );
    assert.ok(!['javascript:alert(1)', 'data:,a', 'https://a b', '//ats.example'].some(isWebLink));
  });
});
