import fc from 'fast-check';

export interface Fields {
  readonly title: string;
  readonly description: string;
  readonly place: number;
  readonly jobType: string;
  readonly salaryMin: number;
  readonly opportunityId?: string | undefined;
}

/** A listing in a file. `truth` is its real opening, which the code under test doesn't know. */
export interface Row {
  readonly truth: number;
  readonly key?: string | undefined;
  readonly fields: Fields;
}

/** What distinguishes the listings of a history. */
const MODES = ['ids', 'keys', 'nothing', 'shared ids', 'some ids', 'one text for all'] as const;
type Mode = (typeof MODES)[number];

const EDITS = [
  ...([
    'salaryMin',
    'jobType',
    'description',
    'title',
    'place',
    'insert',
    'delete',
    'reorder',
    'rename',
  ] as const),
  ...(['split', 'merge', 'move', 'correct', 'replace', 'swap', 'restore'] as const),
];
type Edit = readonly [kind: (typeof EDITS)[number], a: number, b: number];

export interface History {
  readonly mode: Mode;
  readonly ending: string;
  readonly steps: readonly { readonly edits: readonly Edit[]; readonly prunes: boolean }[];
}

const number = fc.nat(999);
const edit: fc.Arbitrary<Edit> = fc.tuple(fc.constantFrom(...EDITS), number, number);
const step = fc.record({ edits: fc.array(edit, { minLength: 1, maxLength: 4 }), prunes: fc.boolean() });
const first = fc.array(fc.tuple(fc.constant('insert' as const), number, number), {
  minLength: 3,
  maxLength: 5,
});

/** Generates histories of ten applies with three to eight listings. */
export const historyIn = (modes: readonly Mode[] = MODES) =>
  fc
    .record({
      mode: fc.constantFrom(...modes),
      ending: fc.constantFrom('csv', 'json', 'ndjson'),
      first,
      steps: fc.array(step, { minLength: 9, maxLength: 9 }),
    })
    .map(({ first: edits, steps, ...rest }) => ({ ...rest, steps: [{ edits, prunes: false }, ...steps] }));

const TITLES = ['Nurse', 'Welder', 'Cook', 'Barista', 'Driver'];
const TYPES = ['FULL_TIME', 'PART_TIME', 'CONTRACT'];
const PLACES = [4671654, 5016884, 4930956, 2655138, 4409896, 4250542];
const FILES = ['a', 'b', 'c', 'north/d', 'north/e', 'f'];
const LISTINGS_MAX = 8;
const BETWEEN_FILES: readonly string[] = ['split', 'merge', 'move', 'swap'];
const FACES: readonly string[] = ['title', 'description', 'place'];
const DETAILS = ['salaryMin', 'jobType'];

interface Place {
  readonly file: string;
  readonly at: number;
  readonly row: Row;
}

export function textOf({ fields: { title, description, place, jobType, salaryMin, opportunityId } }: Row) {
  return [title, description, place, jobType, salaryMin, opportunityId ?? ''].join('|');
}

/** Job files with the knowledge of their author, who knows the opening of each listing. */
export class World {
  files = new Map<string, Row[]>();
  /** All texts that an opening has had so far. */
  readonly versions = new Map<number, Set<string>>();
  /** Position of each listing in the last apply. */
  was = new Map<number, Place & { readonly alone: boolean }>();
  /** Openings without a listing, whose jobs were not closed. */
  lost = new Map<number, Row>();
  readonly #removed = new Map<number, Row>();
  #truths = 0;

  constructor(readonly history: Pick<History, 'mode' | 'ending'>) {}

  places(): Place[] {
    return [...this.files].flatMap(([file, rows]) => rows.map((row, at) => ({ file, at, row })));
  }

  truthAt(key: string): number {
    const [file = '', at = '0'] = key.split('#');
    return this.files.get(file)?.[Number(at)]?.truth ?? -1;
  }

  /** True if another listing has this title and place, because two listings without an ID would look the same. */
  isTaken({ title, place }: Fields, but?: number): boolean {
    const others = [
      ...this.places().map(({ row }) => row),
      ...this.lost.values(),
      ...[...this.was.values()].map(({ row }) => row),
    ];
    return others.some(
      ({ truth, fields }) => truth !== but && fields.title === title && fields.place === place,
    );
  }

  /** True if the listing looks like a changed version of a removed one: same ID, or same file with an edited text. */
  isSuccessor(truth: number, of = truth): boolean {
    const now = this.places().find(({ row }) => row.truth === truth);
    const was = this.was.get(of);
    if (this.was.has(truth) || this.places().some(({ row }) => row.truth === of)) return false;
    const isShared = this.history.mode === 'shared ids' && truth % 3 === of % 3;
    if (isShared || !was?.alone || now?.file !== was.file || this.files.get(was.file)?.length !== 1)
      return isShared;
    return changedFields(was.row.fields, now.row.fields).filter((field) => FACES.includes(field)).length < 3;
  }

  isNamed({ fields, key }: Row): boolean {
    const { mode } = this.history;
    return key !== undefined || (fields.opportunityId !== undefined && mode !== 'shared ids');
  }

  edit([kind, a, b]: Edit): void {
    const places = this.places();
    const here = places[a % Math.max(1, places.length)];
    const names = [...this.files.keys()];
    // Skips moves between files, because listings with a shared ID are identified by their file.
    if (this.history.mode === 'shared ids' && names.length > 0 && BETWEEN_FILES.includes(kind)) return;
    const unused = FILES.map((name) => `${name}.${this.history.ending}`).filter(
      (name) => !names.includes(name),
    );
    const [free, other] = [
      unused[b % Math.max(1, unused.length)],
      names[b % Math.max(1, names.length)] ?? '',
    ];
    if (kind === 'insert' || here === undefined) {
      const row = places.length < LISTINGS_MAX ? this.#newRow(a, b) : undefined;
      const isNew = here === undefined || (b % 3 === 0 && this.history.mode !== 'shared ids');
      const file = isNew ? (free ?? here?.file) : here.file;
      if (row && file) this.#put(file, b, row);
      return;
    }
    const { file, at, row } = here;
    const rows = this.files.get(file) ?? [];
    if (kind === 'delete' && places.length > 1) this.#take(here);
    else if (kind === 'replace') {
      const next = this.#newRow(b, a);
      // A file with one listing that keeps its title or place looks like an edit of the old listing.
      const isRewritten =
        rows.length === 1 &&
        (next?.fields.title === row.fields.title || next?.fields.place === row.fields.place);
      if (!next || isRewritten || places.length === 1) return;
      this.#take(here);
      this.#put(file, at, next);
    } else if (kind === 'reorder') {
      rows.splice(at, 1);
      rows.splice(b % (rows.length + 1), 0, row);
    } else if (kind === 'rename' && free) {
      this.files.delete(file);
      this.files.set(free, rows);
    } else if (kind === 'split' && free && rows.length > 1) {
      this.files.set(free, rows.splice(1 + (b % (rows.length - 1))));
    } else if (kind === 'merge' && other !== file) {
      this.files.delete(file);
      this.files.get(other)?.splice(a % 3, 0, ...rows);
    } else if (kind === 'move' && other !== file && rows.length > 1) {
      rows.splice(at, 1);
      this.#put(other, a, row);
    } else if (kind === 'swap' && other !== file) {
      this.files.set(file, this.files.get(other) ?? []);
      this.files.set(other, rows);
    } else if (kind === 'restore') {
      const [back] = [...this.#removed.values()].slice(b % Math.max(1, this.#removed.size));
      if (back && places.length < LISTINGS_MAX && !this.isTaken(back.fields, back.truth))
        this.#put(file, a, back);
    } else this.#change(kind, here, b);
  }

  /** Changes a listing only as far as a reader would still recognize it. */
  #change(kind: Edit[0], { file, at, row }: Place, b: number): void {
    const { truth, fields } = row;
    const next = { ...row, fields: { ...fields, ...changeOf(kind, row, b, this.isNamed(row)) } };
    const before = this.was.get(truth)?.row.fields ?? this.lost.get(truth)?.fields ?? fields;
    const changed = changedFields(before, next.fields);
    const large = changed.filter((field) => !DETAILS.includes(field));
    const isOneText = this.history.mode === 'one text for all';
    if (changed.length === 0 || (changed.includes('opportunityId') && changed.length > 1)) return;
    if (large.length > (this.isNamed(row) ? 2 : 1) || this.isTaken(next.fields, truth)) return;
    if (isOneText && (large.includes('description') || (large.includes('title') && changed.length > 1)))
      return;
    this.files.get(file)?.splice(at, 1, next);
  }

  #newRow(a: number, b: number): Row | undefined {
    const { mode } = this.history;
    const truth = ++this.#truths;
    const isOne = mode === 'one text for all';
    const id = { ids: truth, 'shared ids': truth % 3, 'some ids': truth % 2 ? truth : undefined }[
      mode as 'ids'
    ];
    const fields: Fields = {
      title: TITLES[a % 5] ?? '',
      description: isOne ? 'See our website.' : `Text ${truth}`,
      place: PLACES[b % 6] ?? 0,
      jobType: TYPES[a % 3] ?? '',
      salaryMin: 30 + (b % 9),
      ...(id !== undefined && { opportunityId: `REQ-${id}` }),
    };
    if (this.isTaken(fields)) return undefined;
    return { truth, ...(mode === 'keys' && { key: `k${truth}` }), fields };
  }

  #put(file: string, at: number, row: Row): void {
    const rows = this.files.get(file) ?? [];
    this.files.set(file, rows);
    rows.splice(at % (rows.length + 1), 0, row);
    this.#removed.delete(row.truth);
  }

  #take({ file, at, row }: Place): void {
    const rows = this.files.get(file) ?? [];
    rows.splice(at, 1);
    if (rows.length === 0) this.files.delete(file);
    this.#removed.set(row.truth, row);
  }

  /** Records the texts of all listings before an apply. */
  begin(): void {
    for (const { row } of this.places()) {
      const said = this.versions.get(row.truth) ?? new Set();
      this.versions.set(row.truth, said.add(textOf(row)));
    }
  }

  applied(prunes: boolean): void {
    const gone = [...this.was].filter(([truth]) => !this.places().some(({ row }) => row.truth === truth));
    for (const [truth, { row }] of gone) this.lost.set(truth, row);
    if (prunes) this.lost.clear();
    for (const { row } of this.places()) this.lost.delete(row.truth);
    this.was = new Map(
      this.places().map((place) => [
        place.row.truth,
        { ...place, alone: this.files.get(place.file)?.length === 1 },
      ]),
    );
  }
}

function changeOf(kind: Edit[0], { truth, fields }: Row, b: number, isUnique: boolean): Partial<Fields> {
  if (kind === 'salaryMin') return { salaryMin: 30 + (b % 20) };
  if (kind === 'jobType') return { jobType: TYPES[b % 3] ?? '' };
  if (kind === 'description') return { description: `Text ${truth} version ${b}` };
  if (kind === 'title') return { title: b % 2 ? `${TITLES[b % 5]}` : `${fields.title}s` };
  if (kind === 'place') return { place: PLACES[b % 6] ?? 0 };
  if (kind === 'correct' && fields.opportunityId && isUnique) return { opportunityId: `REQ-${truth}-${b}` };
  return {};
}

function changedFields(before: Fields, now: Fields): (keyof Fields)[] {
  return (Object.keys(now) as (keyof Fields)[]).filter((field) => now[field] !== before[field]);
}

/** True if an applied listing is largely different now. */
function isReworked(world: World, { truth, fields }: Row): boolean {
  const now = world.places().find(({ row }) => row.truth === truth)?.row.fields;
  return now !== undefined && changedFields(fields, now).some((field) => !DETAILS.includes(field));
}

/** Returns the listings whose job would be unclear even to a careful reader, with the reason. */
export function doubtsOf(world: World): ReadonlyMap<number, string> {
  const doubts = new Map<number, string>();
  const now = world.places();
  const before = [...world.was.values()];
  const missing = [...before.map(({ row }) => row), ...world.lost.values()].filter(
    ({ truth }) => !now.some(({ row }) => row.truth === truth),
  );
  const isOneText = world.history.mode === 'one text for all';
  for (const { file, at, row } of now) {
    const { truth, fields } = row;
    const was = world.was.get(truth);
    const last = was?.row ?? world.lost.get(truth);
    const stood = before.find((place) => place.file === file && place.at === 0);
    const isAlone = stood?.alone === true && world.files.get(file)?.length === 1;
    const isTurned = isAlone && last === undefined && missing.some((one) => one.truth === stood?.row.truth);
    if (isTurned) doubts.set(truth, 'a file became another opening');
    const isNamed = world.isNamed(row);
    if (isNamed && last !== undefined) continue;
    const changed = last === undefined ? [] : changedFields(last.fields, fields);
    const large = changed.filter((field) => !DETAILS.includes(field));
    const isLike = (other: Row) =>
      other.truth !== truth &&
      !(world.isNamed(other) && (isNamed || world.history.mode === 'keys')) &&
      (other.fields.title === fields.title ||
        (isOneText && (last === undefined || large.includes('title'))) ||
        (other.fields.opportunityId !== undefined && other.fields.opportunityId === fields.opportunityId));
    const others = [...before.map((place) => place.row), ...now.map((place) => place.row), ...missing];
    const isElsewhere = was !== undefined && was.file !== file;
    const takesOver = was && now.find((place) => place.file === was.file && place.at === was.at)?.row;
    const unsettled = [
      ...missing,
      ...before.map((place) => place.row).filter((one) => isReworked(world, one)),
    ];
    const here = before.find((place) => place.file === file && place.at === at)?.row;
    if (here !== undefined) unsettled.push(here);
    if (last === undefined && unsettled.some(isLike)) doubts.set(truth, 'new, and like one that is gone');
    else if (
      isElsewhere &&
      takesOver &&
      (isOneText || takesOver.fields.title === was.row.fields.title) &&
      takesOver !== row
    )
      doubts.set(truth, 'moved, and one like it is in its old place');
    else if (large.includes('title') && (isElsewhere || was === undefined || changed.length > 1 || isOneText))
      doubts.set(truth, 'another title at another place');
    else if (large.length > 0 && others.some(isLike)) doubts.set(truth, 'changed, and others are like it');
    else if (large.includes('place') && (isElsewhere || isOneText))
      doubts.set(truth, 'another city in another file');
  }
  return doubts;
}
