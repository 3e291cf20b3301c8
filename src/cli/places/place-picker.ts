import { setTimeout as pause } from 'node:timers/promises';
import { createPrompt, useEffect, useKeypress, usePagination, usePrefix, useState } from '@inquirer/core';
import figures from '@inquirer/figures';
import type { PartnerError } from '../../contract/errors.ts';
import type { LocationInput } from '../../contract/job.ts';
import { LIMITS } from '../../contract/values.ts';
import { formatCount, formatNumber } from '../../contract/words.ts';
import { locationInput } from '../../places/decide/locations.ts';
import { ask } from '../terminal/ask.ts';
import type { Streams } from '../terminal/streams.ts';
import { clean, painter } from '../terminal/view.ts';
import { getWidth, shorten, wrap } from '../terminal/width.ts';

type Place = LocationInput & { readonly population?: number | undefined };
type Answer = Place | 'that is all' | 'take back';

/** Remarks have no value and come after the selectable entries. */
type Entry = Readonly<{ name: string; value?: Answer; short?: string; description?: string }>;
type FindEntries = (q: string, signal: AbortSignal) => Promise<readonly Entry[]>;

export interface PlacePicking {
  readonly search: (q: string, signal: AbortSignal) => Promise<readonly Place[]>;
  readonly question: string;
  readonly flag: string;
  readonly many: boolean;
  readonly first?: string | undefined;
  readonly picked?: readonly LocationInput[] | undefined;
  readonly onPicked?: ((places: readonly LocationInput[]) => Promise<void>) | undefined;
}

const DEBOUNCE_MS = 150;

/** Lets the user pick places while typing. Throws INTERRUPTED on Ctrl-C, and INPUT_REQUIRED without a terminal. */
export async function pickPlaces(streams: Streams, picking: PlacePicking, debounceMs = DEBOUNCE_MS) {
  const { search, flag, many, onPicked } = picking;
  const picked: Place[] = [...(picking.picked ?? [])];
  const columns = streams.columnsErr - 2;
  const findEntries: FindEntries = async (q, signal) => {
    if (q === '') return many ? formatPickedEntries(picked, columns) : [];
    try {
      await pause(debounceMs, undefined, { signal });
      const found = await search(q, signal);
      if (found.length > 0) return formatFoundEntries(found, picked, columns);
      return [remark(`no place matches "${q}". Type fewer letters, or only the city`, columns)];
    } catch (error) {
      const { message, hint = 'keep typing to search again' } = error as PartnerError;
      return [remark(`${message}; ${hint}`, columns)];
    }
  };
  let { first = '' } = picking;
  do {
    const message = clean(picked.length > 0 ? 'Another place' : picking.question);
    const question = { streams, message, first: clean(first), findEntries };
    const answer = await ask(streams, flag, { message, prompt: (context) => askPlace(question, context) });
    if (answer === 'that is all') break;
    if (answer === 'take back') picked.pop();
    else if (!picked.some(isSame(answer))) picked.push(answer);
    await onPicked?.(picked.map(locationInput));
    first = '';
  } while (many && picked.length < LIMITS.arrayEntries);
  return picked.map(locationInput);
}

/** Steps of the keys that change or clear readline's line. */
const STEPS: Readonly<Record<string, number>> = { up: -1, down: 1, tab: 0, enter: 0, return: 0 };

type Found = Readonly<{ searched?: string | undefined; entries: readonly Entry[]; active: number }>;
type PlaceQuestion = Readonly<{ streams: Streams; message: string; first: string; findEntries: FindEntries }>;

const askPlace = createPrompt<Answer, PlaceQuestion>(({ streams, message, first, findEntries }, done) => {
  const paint = painter(streams.colourErr);
  const [isDone, setDone] = useState(false);
  const [term, setTerm] = useState(first);
  const [{ searched, entries, active }, setFound] = useState<Found>({ entries: [], active: 0 });
  // This value is derived, because inquirer doesn't render again after an effect sets state.
  const status = isDone ? 'done' : searched === term ? 'idle' : 'loading';
  const { value, name = '', short = name, description = '' } = entries[active] ?? {};
  useEffect((line) => line.write(first), []);
  useEffect(() => {
    const search = new AbortController();
    void findEntries(clean(term).trim(), search.signal).then((entries) => {
      if (!search.signal.aborted) setFound({ searched: term, entries, active: 0 });
    });
    return () => search.abort();
  }, [term]);
  useKeypress((key, line) => {
    const step = STEPS[key.name];
    if (step === undefined) return setTerm(line.line);
    line.clearLine(0);
    line.write(term);
    if (status !== 'idle' || value === undefined) return;
    if (entries[active + step]?.value !== undefined) setFound({ searched, entries, active: active + step });
    if (step !== 0 || key.name === 'tab') return;
    setDone(true);
    done(value);
  });
  const renderItem = ({ item, isActive }: { item: Entry; isActive: boolean }) => {
    if (item.value === undefined) return paint('dim', `  ${item.name}`);
    return isActive ? paint('cyan', `${figures.pointer} ${item.name}`) : `  ${item.name}`;
  };
  const page = usePagination({ items: entries, active, renderItem, pageSize: 10, loop: false });
  const shown = paint('cyan', isDone ? short : term);
  const question = `${usePrefix({ status })} ${paint('bold', message)} ${shown}`.trimEnd();
  if (isDone) return question;
  const tip = paint('dim', `type to search • ↑↓ move • ⏎ select${streams.goesBack ? ' • Esc back' : ''}`);
  return [question, [page, ' ', paint('cyan', description), tip].filter(Boolean).join('\n')];
});

/** Formats places to `columns`. Never shortens the part that distinguishes places with the same name. */
function formatFoundEntries(found: readonly Place[], picked: readonly Place[], columns: number): Entry[] {
  return found.map((place) => {
    const name = formatPlaceName(place);
    const namesakes = found.filter((other) => formatPlaceName(other) === name);
    const facts = [
      place.population === undefined ? undefined : formatNumber(place.population),
      namesakes.length > 1 ? `id ${place.locationId}` : undefined,
      picked.some(isSame(place)) ? 'selected' : undefined,
    ];
    const tail = facts.map((fact) => (fact === undefined ? '' : ` · ${clean(fact)}`)).join('');
    const shown = shorten(name, columns - getWidth(tail)) + tail;
    const whole = wrap(name + tail, columns).join('\n');
    return { name: shown, value: place, short: name, ...(shown === whole ? {} : { description: whole }) };
  });
}

function formatPickedEntries(picked: readonly Place[], columns: number): Entry[] {
  const last = picked.at(-1);
  if (last === undefined) return [{ name: 'none for now', value: 'that is all' }];
  const back = formatPlaceName(last);
  return [
    { name: `done (${formatCount(picked.length, 'place')})`, value: 'that is all' },
    { name: shorten(`remove ${back}`, columns), value: 'take back', short: `removed ${back}` },
    ...picked.map((place) => remark(`✓ ${formatPlaceName(place)}`, columns)),
  ];
}

function remark(text: string, columns: number): Entry {
  return { name: wrap(clean(text), columns).join('\n  ') };
}

function isSame({ locationId }: Place) {
  return (place: Place) => place.locationId === locationId;
}

function formatPlaceName({ city, stateProvince, country }: Place): string {
  return [city, stateProvince, country].map(clean).filter(Boolean).join(', ');
}
