import assert from 'node:assert/strict';
import { checkJobUpdate } from '../../src/contract/check.ts';
import { toFields } from '../../src/contract/problems.ts';
import { isWebLink, URI } from '../../src/contract/uri.ts';
import { jsonSchema } from '../../src/listings/schema.ts';
import { cpuMsOf } from '../cpu.ts';
import uris from './uris.json' with { type: 'json' };

const property = jsonSchema('job-input') as { properties: { atsJobUrl: { anyOf: { pattern?: string }[] } } };
const pattern = new RegExp(property.properties.atsJobUrl.anyOf[0]?.pattern ?? '(?!)', 'u');

describe('atsJobUrl is any absolute URI by RFC 3986, to the checker as to the schema', () => {
  it('takes one as it is', () => {
    for (const uri of uris.absolute) {
      const checked = checkJobUpdate({ atsJobUrl: uri });
      assert.deepEqual(checked, { ok: true, value: { atsJobUrl: uri } });
      assert.match(uri, pattern);
    }
  });

  it('refuses all else', () => {
    for (const text of uris.none) {
      assert.ok(!checkJobUpdate({ atsJobUrl: text }).ok, text);
      assert.doesNotMatch(text, pattern);
    }
  });

  it('says how to write what only lacks escapes', () => {
    for (const [text, hint] of Object.entries(uris.hints)) {
      const checked = checkJobUpdate({ atsJobUrl: text });
      const { atsJobUrl = '' } = checked.ok ? {} : toFields(checked.problems);
      assert.match(atsJobUrl, new RegExp(`must be an absolute URI, not .*; use ${hint}(?: ·|$)`));
    }
  });

  it('answers at once for a long text', async () => {
    const cpuMs = await cpuMsOf(() => {
      for (const part of ['a', '%20', ':', '@', '[', '//', '%']) {
        for (const start of ['https://', 'x:', '']) URI.test(`${start}${part.repeat(2_000)} `);
      }
    });
    assert.ok(cpuMs < 500, `${cpuMs} ms of CPU time`);
  });
});

describe('only an http or https URI is a link', () => {
  it('and javascript: never', () => {
    const links = uris.absolute.filter(isWebLink);
    const webLinks = uris.absolute.filter((uri) => /^https?:/i.test(uri));
    assert.deepEqual(links, webLinks);
    assert.ok(!['javascript:alert(1)', 'data:,a', 'https://a b', '//ats.example'].some(isWebLink));
  });
});
