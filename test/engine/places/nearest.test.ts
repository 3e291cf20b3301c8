import assert from 'node:assert/strict';
import { openPlaces } from '../../../src/engine/places/open.ts';
import { placesIndex } from './places-index.ts';

describe('The nearest places', function () {
  this.timeout(60_000);
  let places: ReturnType<typeof openPlaces>;
  before(async () => {
    places = openPlaces(await placesIndex());
  });
  after(() => places.close());

  it('are what a mistyped place was most likely meant to be', () => {
    const meant = {
      Bostn: 'Boston, Massachusetts, United States',
      'San Fransisco, CA': 'San Francisco, California, United States',
      'San Fransisco CA': 'San Francisco, California, United States',
      Minneapols: 'Minneapolis, Minnesota, United States',
      Chigaco: 'Chicago, Illinois, United States',
      Philidelphia: 'Philadelphia, Pennsylvania, United States',
      Cincinatti: 'Cincinnati, Ohio, United States',
      'Nue York': 'New York City, New York, United States',
      Munchin: 'Munich, Bavaria, Germany',
      Minneap: 'Minneapolis, Minnesota, United States',
      Москав: 'Moscow, Moscow, Russia',
    };
    const answers = Object.fromEntries(
      Object.keys(meant).map((text) => [text, places.nearest(text, 3)[0]?.displayName]),
    );
    assert.deepEqual(answers, meant);
  });

  it('are found although the first letter is wrong', () => {
    assert.equal(places.nearest('Xlbuquerque', 1)[0]?.city, 'Albuquerque');
  });

  it('lie in the area given, also where that is misspelled, and elsewhere where it holds none', () => {
    const nearest = (text: string) => places.nearest(text, 1)[0]?.displayName;
    assert.equal(nearest('Springfeild, IL'), 'Springfield, Illinois, United States');
    assert.equal(nearest('Springfeild, Ilinois'), 'Springfield, Illinois, United States');
    assert.equal(nearest('Bostn, Massachusets, United States'), 'Boston, Massachusetts, United States');
    assert.equal(nearest('Bostn, XX'), 'Boston, Massachusetts, United States');
    assert.equal(nearest('Reykjavk, Texas'), 'Reykjavík, Capital Region, Iceland');
  });

  it('are at most as many as asked for, each once, and none where nothing is near', () => {
    const near = places.nearest('Sringfield', 5);
    assert.equal(near.length, 5);
    assert.equal(new Set(near.map(({ locationId }) => locationId)).size, 5);
    for (const text of ['', ' , ', 'xqzxqzxqzxqz', 'y'.repeat(2000)])
      assert.deepEqual(places.nearest(text, 5), []);
  });
});
