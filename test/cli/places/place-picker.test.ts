import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { type PlacePicking, pickPlaces } from '../../../src/cli/places/place-picker.ts';
import type { LocationInput } from '../../../src/contract/job.ts';
import { type FakeStreams, fakeStreams } from '../terminal/fake-streams.ts';

type Found = Awaited<ReturnType<PlacePicking['search']>>;

const [UP, DOWN, ENTER, BACKSPACE, CTRL_C] = ['\x1b[A', '\x1b[B', '\r', '\x7f', '\x03'];

const place = (locationId: number, city: string, stateProvince: string, population?: number) => {
  const country = 'United States';
  return { locationId, city, stateProvince, country, population };
};
const AUSTIN = place(4671654, 'Austin', 'Texas', 974_447);
const SPRINGFIELDS = [
  place(4409896, 'Springfield', 'Missouri', 166_810),
  place(4951788, 'Springfield', 'Massachusetts', 154_341),
  place(4250542, 'Springfield', 'Illinois', 116_565),
];
const inputOf = ({ locationId, city, stateProvince, country }: Found[number]): LocationInput => {
  return { locationId, city, stateProvince, country };
};

function pending<T>() {
  let [resolve, reject]: [(value: T) => void, (error: Error) => void] = [() => {}, () => {}];
  const promise = new Promise<T>((...ends) => {
    [resolve, reject] = ends;
  });
  return { promise, resolve, reject };
}

async function asking(...how: ConstructorParameters<typeof Picker>): Promise<Picker> {
  const picker = new Picker(...how);
  await picker.shows(/Which place\?/);
  return picker;
}

class Picker {
  readonly streams: FakeStreams;
  readonly searched: string[] = [];
  readonly signals: AbortSignal[] = [];
  readonly picked: Promise<LocationInput[]>;
  #seen = 0;

  constructor(
    search: (q: string) => Found | Promise<Found>,
    { columns = 80, many = false, first }: { columns?: number; many?: boolean; first?: string } = {},
  ) {
    this.streams = fakeStreams({ isTerminal: true, columns });
    const picking: PlacePicking = {
      search: async (q, signal) => {
        this.searched.push(q);
        this.signals.push(signal);
        return search(q);
      },
      question: 'Which place?',
      flag: '--location',
      many,
      first,
    };
    this.picked = pickPlaces(this.streams, picking, 0);
    // If the test fails before it awaits the pick, a rejection would be reported as unhandled.
    this.picked.catch(() => {});
  }

  /** Waits for `text` in the output since the previous match; returns that output. */
  async shows(text: RegExp): Promise<string> {
    for (;;) {
      const since = stripVTControlCharacters(this.streams.err().slice(this.#seen));
      const match = text.exec(since);
      if (match !== null) {
        this.#seen = this.streams.err().length;
        return since;
      }
      await once(this.streams.stderr, 'data');
    }
  }

  type(keys: string): void {
    this.streams.stdin.write(keys);
  }

  async sees(keys: string, text: RegExp): Promise<string> {
    this.type(keys);
    return this.shows(text);
  }
}

describe('the place picker', () => {
  it('shows city, region, country and people while somebody types, and gives what was picked', async () => {
    const picker = await asking(() => SPRINGFIELDS);
    await picker.sees('spring', /❯ Springfield, Missouri, United States · 166,810\n/);
    await picker.sees(DOWN, /❯ Springfield, Massachusetts/);
    await picker.sees(DOWN, /❯ Springfield, Illinois/);
    await picker.sees(UP, /❯ Springfield, Massachusetts/);
    picker.type(ENTER);
    assert.deepEqual(await picker.picked, SPRINGFIELDS.slice(1, 2).map(inputOf));
    assert.equal(picker.streams.out(), '', 'stdout holds the result alone');
  });

  for (const [keys, name, term] of [
    ['t', 'a letter', 'aust'],
    [BACKSPACE, 'backspace', 'au'],
  ] as const)
    it(`keeps what was typed over the arrow keys: ${name} goes on from there`, async () => {
      const picker = await asking(() => SPRINGFIELDS);
      await picker.sees('aus', /Springfield, Illinois/);
      picker.type(`${DOWN}${UP}${DOWN}`);
      await picker.sees(keys, new RegExp(`Which place\\? ${term}\n`));
      await pause(5);
      assert.equal(picker.searched.at(-1), term);
      picker.type(CTRL_C);
      await assert.rejects(picker.picked, { code: 'INTERRUPTED' });
    });

  it('cancels a search that is overtaken, and never shows what it finds', async () => {
    const answers = [pending<Found>(), pending<Found>()];
    const picker = await asking(() => answers[picker.searched.length - 1]?.promise ?? []);
    await picker.sees('s', /Which place\? s/);
    await pause(5);
    await picker.sees('p', /Which place\? sp/);
    await pause(5);
    const aborteds = picker.signals.map(({ aborted }) => aborted);
    assert.deepEqual(aborteds, [true, false]);
    answers[1]?.resolve(SPRINGFIELDS);
    await picker.shows(/❯ Springfield, Missouri/);
    answers[0]?.resolve([AUSTIN]);
    await picker.sees(DOWN, /❯ Springfield, Massachusetts/);
    assert.doesNotMatch(picker.streams.err(), /Austin/);
    picker.type(ENTER);
    assert.deepEqual(await picker.picked, SPRINGFIELDS.slice(1, 2).map(inputOf));
  });

  it('picks nothing of the search before while another one is under way', async () => {
    const slow = pending<Found>();
    const picker = await asking((q) => (q === 'sp' ? slow.promise : [AUSTIN]));
    await picker.sees('s', /❯ Austin, Texas/);
    await picker.sees(`p${ENTER}`, /Which place\? sp/);
    slow.resolve(SPRINGFIELDS);
    await picker.shows(/❯ Springfield, Missouri/);
    picker.type(ENTER);
    assert.deepEqual(await picker.picked, SPRINGFIELDS.slice(0, 1).map(inputOf));
  });

  it('lets no control or bidirectional character of a place through', async () => {
    const evil = { ...place(1, 'Aus\x1b]0;owned\x07tin\u202e', 'Te\x9b2Jxas\n', 5), country: 'U\u2066S' };
    const picker = new Picker(() => [evil], { first: '\x1b[2Jau\u202e' });
    await picker.shows(/Which place\? au\n[\s\S]*❯ Austin, Texas , US · 5\n/);
    picker.type(ENTER);
    assert.deepEqual(await picker.picked, [inputOf(evil)], 'what is sent is the place as it came');
    assert.doesNotMatch(picker.streams.err(), /owned|\x1b\[2J|[\x9b\u202e\u2066\u2067]/);
  });

  it('tells namesakes apart by their ids', async () => {
    const picker = await asking(() => [place(11, 'Union', 'Ohio', 7), place(12, 'Union', 'Ohio', 7)]);
    await picker.sees('union', /❯ Union, Ohio, United States · 7 · id 11\n {2}Union.* · 7 · id 12\n/);
    picker.type(CTRL_C);
    await assert.rejects(picker.picked, { code: 'INTERRUPTED' });
  });

  describe('of many places', () => {
    const byName = (q: string): Found => (q.startsWith('a') ? [AUSTIN] : SPRINGFIELDS);

    it('asks for another until that is all, shows the picked, counts none twice, and takes the last one back', async () => {
      const picker = new Picker(byName, { many: true });
      await picker.shows(/❯ none for now\n/);
      await picker.sees('a', /❯ Austin, Texas/);
      await picker.sees(ENTER, /Another place\n❯ done \(1 place\)\n[\s\S]*✓ Austin, Texas, United States\n/);
      await picker.sees('a', /❯ Austin, Texas, United States · 974,447 · selected\n/);
      await picker.sees(ENTER, /❯ done \(1 place\)\n/);
      await picker.sees('s', /❯ Springfield, Missouri/);
      await picker.sees(ENTER, /❯ done \(2 places\)\n[\s\S]*✓ Austin.*\n {2}✓ Springfield, Missouri.*\n/);
      await picker.sees(DOWN, /❯ remove Springfield, Missouri, United States\n/);
      await picker.sees(ENTER, /removed Springfield[\s\S]*❯ done \(1 place\)\n/);
      picker.type(ENTER);
      assert.deepEqual(await picker.picked, [inputOf(AUSTIN)]);
    });
  });

  it('that is left with Ctrl-C is an interruption, and the search under way is cancelled', async () => {
    const picker = await asking(() => new Promise(() => {}));
    await picker.sees('a', /Which place\? a/);
    await pause(5);
    picker.type(CTRL_C);
    await assert.rejects(picker.picked, { code: 'INTERRUPTED' });
    const actual = picker.signals.map(({ aborted }) => aborted);
    assert.deepEqual(actual, [true]);
    assert.ok(picker.streams.err().endsWith('\x1b[?25h'), 'the cursor is back');
    assert.equal(picker.streams.stdin.listenerCount('keypress'), 0);
    assert.ok(picker.streams.stdin.isPaused(), 'nothing keeps the process alive');
  });
});
