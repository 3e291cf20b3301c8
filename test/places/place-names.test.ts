import assert from 'node:assert/strict';
import { officialSpellings, spellings } from '../../scripts/places/spellings.ts';
import { normalisations, normalise, type Place, placeMatches } from '../../src/places/place-names.ts';
import written from '../contract/normalised-names.json' with { type: 'json' };

describe('A name as it is compared', () => {
  it('has neither case nor diacritics nor punctuation', () => {
    const compared = Object.fromEntries(Object.keys(written).map((name) => [name, normalise(name)]));
    assert.deepEqual(compared, written);
  });

  it('keeps the marks of scripts in which they are letters', () => {
    assert.notEqual(normalise('दिल्ली'), normalise('दल'));
    assert.notEqual(normalise('ガ'), normalise('カ'));
  });

  it('is the same when it is normalised again', () => {
    for (const name of ['St. Louis', "O'Fallon", 'Ft. D L Smith', 'Mt St Helens', 'a.b.c', 'Æ’ß'])
      assert.equal(normalise(normalise(name)), normalise(name));
  });

  it('has st, ste, ft and mt written out, but only as whole words', () => {
    assert.equal(normalise('St. Louis'), 'saint louis');
    assert.equal(normalise('Sault Ste. Marie'), 'sault sainte marie');
    assert.equal(normalise('FT WORTH'), 'fort worth');
    assert.equal(normalise('Mt.Vernon'), 'mount vernon');
    assert.equal(normalise('Stmt'), 'stmt');
    assert.equal(normalise('constructor'), 'constructor');
  });

  it('is taken both ways where its last word may be an abbreviation or unfinished', () => {
    assert.deepEqual(normalisations('St'), ['saint', 'st']);
    assert.deepEqual(normalisations('St Louis'), ['saint louis']);
    assert.deepEqual(normalisations(' - '), []);
  });

  it('is spelled with and without umlauts, and a Sankt as a saint', () => {
    assert.deepEqual(spellings('Köln'), ['koln', 'koeln']);
    assert.deepEqual(spellings('ÅRHUS'), ['arhus', 'aarhus']);
    const expected = ['sankt polten', 'sankt poelten', 'saint polten', 'saint poelten'];
    assert.deepEqual(spellings('Sankt Pölten'), expected);
    assert.deepEqual(spellings('?'), []);
  });

  it('is also found, if official, without what stands behind its comma', () =>
    assert.deepEqual(officialSpellings('Washington, D.C.'), ['washington dc', 'washington']));
});

describe('The texts of a location', () => {
  const place: Place = {
    locationId: 1,
    displayName: '',
    city: 'São José-do Rio',
    stateProvince: 'Québec',
    country: 'Côte d’Ivoire',
    countryCode: 'CI',
    population: 1,
  };
  const input = {
    locationId: 1,
    city: place.city,
    stateProvince: place.stateProvince,
    country: place.country,
  };

  it('match a place whatever their case, diacritics, punctuation and spacing', () => {
    assert.ok(placeMatches(input, place));
    const loose = { ...input, city: ' SAO JOSE do  rio', stateProvince: 'quebec', country: "COTE D'IVOIRE" };
    assert.ok(placeMatches(loose, place));
  });

  it('do not match where the city, the region or the country is another one', () => {
    for (const field of ['city', 'stateProvince', 'country'] as const) {
      assert.ok(!placeMatches({ ...input, [field]: 'Boston' }, place), field);
      assert.ok(!placeMatches({ ...input, [field]: '' }, place), field);
    }
  });

  it('match an empty region only where the place has none', () => {
    assert.ok(placeMatches({ ...input, stateProvince: '' }, { ...place, stateProvince: '' }));
    assert.ok(!placeMatches(input, { ...place, stateProvince: '' }));
  });
});
