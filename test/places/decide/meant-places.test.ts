import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { findMeaning } from '../../../src/places/decide/find-meaning.ts';
import type { PlaceMeaning } from '../../../src/places/decide/place-meaning.ts';
import { openPlaces } from '../../../src/places/index/open.ts';
import { normalise } from '../../../src/places/place-names.ts';
import { fixture } from '../../fixture.ts';
import { PLACES_PATH } from '../../http/subject.ts';
import { times } from '../../times.ts';

type Row = readonly [text: string, meant: string, remoteOption?: string];

/** A text as boards write it (`\n` is a line break), what it means, and the way of working if it names one. */
function rowsOf(name: string): readonly Row[] {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
    .split('\n')
    .filter((line, at) => line !== '' && at % times(2, 1) === 0)
    .map((line) => line.replaceAll('\\n', '\n').split('\t') as unknown as Row);
}

/** More than half of the second table is hard on purpose, and labeled by people who had not seen the rules. */
const TABLES = [
  { rows: rowsOf('meant-places.tsv'), rightLeast: 0.97 },
  { rows: rowsOf('board-places.tsv'), rightLeast: 0.85 },
];
const ROWS = TABLES.flatMap(({ rows }) => rows);
const WRONG_MOST = 0.003;

/** As the table writes it: `place City|Region|Country`, `remote United States`, `several …;…`. */
function written(meaning: PlaceMeaning, isPart = false): string {
  switch (meaning.kind) {
    case 'place': {
      const { city, stateProvince, country } = meaning.place;
      return `${isPart ? '' : 'place '}${city}|${stateProvince}|${country}`;
    }
    case 'several':
      return `several ${meaning.parts.map((part) => written(part.meaning, true)).join(';')}`;
    case 'remote':
      return `remote ${meaning.countries.join(';')}`.trim();
    case 'country':
      return `country ${meaning.country}`;
    case 'region':
      return `region ${meaning.region}`;
    default:
      return meaning.kind;
  }
}

describe('the texts that boards write for places', () => {
  const places = fixture('all tests', () => openPlaces(PLACES_PATH));
  let meanings: ReadonlyMap<string, PlaceMeaning>;
  before(() => {
    meanings = new Map(ROWS.map(([text]) => [text, findMeaning(text, places)]));
  });

  interface Miss {
    readonly line: string;
    readonly isDecided: boolean;
  }

  function missesIn(rows: readonly Row[]): Miss[] {
    return rows.flatMap(([text, meant, remoteOption]) => {
      const meaning = meanings.get(text) as PlaceMeaning;
      const option = meaning.kind === 'place' ? meaning.remoteOption : undefined;
      const found = [written(meaning), option].filter(Boolean).join(' ');
      const wanted = [meant, remoteOption].filter(Boolean).join(' ');
      const isDecided =
        (meaning.kind === 'place' || meaning.kind === 'several') && written(meaning) !== meant;
      return found === wanted ? [] : [{ line: `${text}: ${found}, not ${wanted}`, isDecided }];
    });
  }

  it('mean what the tables say: 97 % of the first, and 85 % of the harder one', () => {
    for (const { rows, rightLeast } of TABLES) {
      const misses = missesIn(rows);
      const said = misses.map(({ line }) => line).join('\n');
      assert.ok(1 - misses.length / rows.length >= rightLeast, `${misses.length} of ${rows.length}\n${said}`);
    }
  });

  it(`mean another place in at most ${WRONG_MOST * 100} % of both tables`, () => {
    const wrong = missesIn(ROWS).filter(({ isDecided }) => isDecided);
    assert.ok(ROWS.length >= times(1_500, 3_000));
    assert.ok(wrong.length / ROWS.length <= WRONG_MOST, wrong.map(({ line }) => line).join('\n'));
  });

  it('mean the place again that they were decided for, by its whole name', () => {
    const decided = new Map(
      [...meanings.values()].flatMap((meaning) =>
        meaning.kind === 'place' ? [[meaning.place.locationId, meaning.place] as const] : [],
      ),
    );
    for (const { city, country, displayName, locationId } of decided.values()) {
      const again = findMeaning(displayName, places);
      const { official } = places.named(normalise(city), places.areas(normalise(country))[0]);
      const called = official.filter((one) => one.displayName === displayName);
      const isSame = again.kind === 'place' && again.place.locationId === locationId;
      // England has two Gillinghams: only a county or a postcode says which one.
      assert.ok(isSame || called.length > 1, displayName);
    }
  });
});
