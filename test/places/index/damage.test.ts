import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { encodePlaces } from '../../../scripts/places/encode.ts';
import { gazetteerOf, readRegionNames } from '../../../scripts/places/gazetteer.ts';
import { PartnerError } from '../../../src/contract/errors.ts';
import { openPlaces } from '../../../src/places/index/open.ts';
import type { Places } from '../../../src/places/place-names.ts';
import { temporaryDirectory } from '../../engine/temporary-directory.ts';
import { times } from '../../times.ts';
import { allGeoNames } from './places-index.ts';

const RUNS = times(30, 500);

describe('An index of places that cannot be used', () => {
  const inDirectory = temporaryDirectory();
  const path = inDirectory('places.bin');
  let whole: Buffer;

  before(async () => {
    const some = (await allGeoNames()).filter((_, index) => index % 200 === 0);
    whole = encodePlaces(gazetteerOf(some, await readRegionNames()));
  });

  function assertUnreadable(path: string, what: RegExp): void {
    const findPlace = () => openPlaces(path).byId(1);
    assert.throws(findPlace, (error) => {
      assert.ok(error instanceof PartnerError && error.code === 'FILE_UNREADABLE', String(error));
      assert.match(error.message, what);
      assert.match(error.hint ?? '', /npm run build/);
      return true;
    });
  }

  it('is named as missing, with what to do about it', () =>
    assertUnreadable(inDirectory('nowhere.bin'), /nowhere\.bin is missing/));

  it('is told from a directory and from a file of another kind', async () => {
    assertUnreadable(inDirectory('.'), /can't be read/);
    for (const other of ['', 'PART', '{"places": []}', 'x'.repeat(5000)]) {
      await writeFile(path, other);
      assertUnreadable(path, /isn't a place index/);
    }
  });

  it('is told by its version where another partner wrote it', async () => {
    const other = Buffer.from(whole);
    other.writeUInt32LE(99, 16);
    await writeFile(path, other);
    assertUnreadable(path, /format 99/);
  });

  it('is refused wherever it was cut, and where something was added', async () => {
    for (const share of [0.001, 0.1, 0.5, 0.999]) {
      await writeFile(path, whole.subarray(0, whole.length * share));
      assertUnreadable(path, /wrong size|isn't a place index/);
    }
    for (const length of [17, 20, 40, whole.length - 1]) {
      await writeFile(path, whole.subarray(0, length));
      assertUnreadable(path, /has the wrong size/);
    }
    await writeFile(path, Buffer.concat([whole, Buffer.alloc(4)]));
    assertUnreadable(path, /has the wrong size/);
  });

  it('never leads to another error or another place than it should, and never hangs, whichever bytes are wrong', async () => {
    const answersOf = (places: Places) => [
      ...['s', 'bost', 'san, ca', 'paris texas'].map((q) => places.search({ q, country: 'US' })),
      places.byId(2867714),
      places.nearest('Bostn, Ilinois', 5),
    ];
    await writeFile(path, whole);
    const sound = openPlaces(path);
    const expected = answersOf(sound);
    sound.close();
    let refused = 0;
    const damage = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 })), {
      minLength: 1,
      maxLength: 200,
    });
    const promise = fc.asyncProperty(damage, async (changes) => {
      const damaged = Buffer.from(whole);
      for (const [at, value] of changes) damaged[at] = value;
      await writeFile(path, damaged);
      try {
        const places = openPlaces(path);
        try {
          assert.deepEqual(answersOf(places), expected);
        } finally {
          places.close();
        }
      } catch (error) {
        assert.ok(error instanceof PartnerError, String(error));
        assert.equal(error.code, 'FILE_UNREADABLE');
        refused++;
      }
    });
    await fc.assert(promise, { numRuns: RUNS });
    assert.ok(refused > RUNS / 2, `${refused}: most damages are met`);
  });
});
