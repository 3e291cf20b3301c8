import assert from 'node:assert/strict';
import fc from 'fast-check';
import { keyLabel, maskKey, maskKeys } from '../../src/text/outside-text.ts';

const KEY = 'sk_ext_live_4c1d9f3c2ab7';
const percentEncoded = [...KEY].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');

describe('a key in a text', () => {
  it('is masked wherever its value stands, whatever the field is called', () =>
    assert.equal(
      maskKey(`{"note":"${KEY}","other":["${KEY}"]}`, KEY),
      '{"note":"sk_ext_…2ab7","other":["sk_ext_…2ab7"]}',
    ));

  it('is masked where it was percent-encoded, in either case, in part or whole', () => {
    for (const spelling of [
      KEY.replaceAll('_', '%5F'),
      KEY.replaceAll('_', '%5f'),
      percentEncoded,
      percentEncoded.toUpperCase(),
    ])
      assert.equal(maskKey(`?k=${spelling}&`, KEY), '?k=sk_ext_…2ab7&');
  });

  it('is masked where JSON escaped it', () => {
    const odd = 'sk_ext_"quoted"\\key-0123456789';
    assert.equal(maskKey(JSON.stringify({ odd }), odd), '{"odd":"sk_ext_…6789"}');
    assert.equal(maskKey('\\u0073k_ext_live_4c1d9f3c2ab7', KEY), 'sk_ext_…2ab7');
  });

  it('is found literally: its characters are no pattern', () => {
    assert.equal(maskKey('aXb', 'a.b'), 'aXb');
    fc.assert(fc.property(fc.string({ minLength: 6 }), (key) => !maskKey(`<${key}>`, key).includes(key)));
  });

  it('leaves every other text as it is, also where there is no key', () => {
    assert.equal(maskKey('sk_ext_other', KEY), 'sk_ext_other');
    assert.equal(maskKey('text', undefined), 'text');
    assert.equal(maskKey('text', ''), 'text');
  });

  it('is named by its last four letters, and by none where that would give it away', () => {
    assert.equal(keyLabel(KEY), 'sk_ext_…2ab7');
    assert.equal(keyLabel('sk_ext_short'), 'sk_ext_…');
    assert.equal(keyLabel('anything else, long enough'), '…ough');
  });

  it('that nobody has named before is known by its form, and the JSON around it stays JSON', () => {
    const text = JSON.stringify({ title: `use ${KEY}, not "${KEY}"`, list: [KEY] });
    const masked = maskKeys(text);
    assert.ok(!masked.includes('4c1d'), masked);
    assert.deepEqual(JSON.parse(masked).list, ['sk_ext_…2ab7']);
    assert.equal(maskKeys(masked), masked);
    const expected = 'keys begin with sk_ext_, like sk_ext_...';
    assert.equal(maskKeys('keys begin with sk_ext_, like sk_ext_...'), expected);
  });
});
