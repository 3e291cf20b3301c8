import { clean } from '../../cli/terminal/clean.ts';
import type { Streams } from '../../cli/terminal/streams.ts';
import { widthOf } from '../../cli/terminal/width.ts';
import { grouped } from '../../cli/terminal/words.ts';

/** How far an apply is. */
export interface ApplyCounts {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  /** When the first listing was begun, on the clock of `monotonicNow`. */
  readonly startedAt: number;
}

export interface ApplyProgressView {
  update(counts: ApplyCounts): void;
  /** The server wants to be left alone until then, on the clock of `monotonicNow`. */
  paused(untilMs: number): void;
  /** A line that stays, above the progress: what a Ctrl-C does now. */
  say(text: string): void;
  /** Leaves no trace on a terminal. */
  stop(): void;
}

export interface ApplyProgressOptions {
  readonly monotonicNow: () => number;
  /** `--quiet`: nothing is shown. */
  readonly isQuiet?: boolean | undefined;
  /** Calls `tick` again and again until what it gives is called. */
  readonly ticker?: (everyMs: number, tick: () => void) => () => void;
}

const REDRAW_MS = 100;
const LINE_MS = 5000;
/** The rate is that of the last seconds. */
const WINDOW_MS = 5000;
/** Over less than this a rate is chance. */
const SHORTEST_WINDOW_MS = 500;
/** A pause as long as this has a line of its own in a log, when it begins. */
export const LONG_PAUSE_MS = 5000;
const WIDEST_BAR = 30;
const NARROWEST_BAR = 8;

/**
 * How far an apply is, on stderr: for somebody who watches it one line that is redrawn at most ten times a
 * second; in a pipe, in CI and under `--json` a plain line every five seconds; under `--quiet` nothing.
 */
export function showApplyProgress(streams: Streams, options: ApplyProgressOptions): ApplyProgressView {
  const { monotonicNow, isQuiet = false, ticker = intervalTicker } = options;
  if (isQuiet) return { update: () => {}, paused: () => {}, say: () => {}, stop: () => {} };
  const pace = paceMeter();
  const shown = streams.showsProgress ? redrawnLine(streams) : plainLines(streams);
  let counts: ApplyCounts | undefined;
  let pause = { fromMs: 0, untilMs: 0 };
  const stopTicking = ticker(streams.showsProgress ? REDRAW_MS : LINE_MS, () => {
    const now = monotonicNow();
    const pausedMs = Math.max(0, pause.untilMs - now);
    const isSaid = pausedMs > 0 && pause.untilMs - pause.fromMs >= LONG_PAUSE_MS;
    if (counts !== undefined) pace.measure(counts.done, now);
    shown.show({ counts, perSecond: counts && pace.perSecond(counts, now), pausedMs, isSaid });
  });
  return {
    update: (next) => {
      counts = next;
      pace.measure(next.done, monotonicNow());
    },
    paused: (untilMs) => {
      const nowMs = monotonicNow();
      pause = { fromMs: pause.untilMs > nowMs ? pause.fromMs : nowMs, untilMs };
    },
    say: (text) => {
      shown.clear();
      write(streams, `${clean(text)}\n`);
    },
    stop: () => {
      stopTicking();
      counts = undefined;
      pause = { fromMs: 0, untilMs: 0 };
      shown.clear();
    },
  };
}

function intervalTicker(everyMs: number, tick: () => void): () => void {
  const timer = setInterval(tick, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** How far it is, at one moment. */
interface Moment {
  /** Undefined before the first listing. */
  readonly counts: ApplyCounts | undefined;
  readonly perSecond: number | undefined;
  /** For how long the server still wants to be left alone; 0 where it does not. */
  readonly pausedMs: number;
  /** True during a pause that has had a line of its own in a log. */
  readonly isSaid: boolean;
}

interface Shown {
  show(moment: Moment): void;
  clear(): void;
}

/** The rate over the last seconds, from samples that are `REDRAW_MS` apart. */
function paceMeter() {
  const samples: { at: number; done: number }[] = [];
  return {
    measure(done: number, now: number): void {
      const last = samples.at(-1);
      if (last !== undefined && now - last.at < REDRAW_MS) return;
      samples.push({ at: now, done });
      while (samples.length > 2 && now - (samples[1]?.at ?? now) >= WINDOW_MS) samples.shift();
    },
    perSecond({ done, startedAt }: ApplyCounts, now: number): number | undefined {
      const first = samples[0] ?? { at: startedAt, done: 0 };
      const spanMs = now - first.at;
      return spanMs < SHORTEST_WINDOW_MS ? undefined : ((done - first.done) * 1000) / spanMs;
    },
  };
}

function plainLines(streams: Streams): Shown {
  return {
    show: (moment) => {
      if (!moment.isSaid && moment.counts !== undefined) write(streams, `${plainLine(moment)}\n`);
    },
    clear: () => {},
  };
}

/** `1,240/10,000 done, 3 failed, 310/s, about 28 s left`. */
function plainLine(moment: Moment): string {
  const left = timeLeft(moment);
  const ends =
    moment.pausedMs > 0
      ? [pauseText(moment.pausedMs)]
      : [rate(moment.perSecond), left === '' ? '' : `about ${left} left`];
  return [...head(moment, ' done'), ...ends].filter((part) => part !== '').join(', ');
}

function redrawnLine(streams: Streams): Shown {
  let drawn = '';
  let isWriting = false;
  const draw = (line: string) => {
    // Nobody is served by a queue of lines for a terminal that is slow to take them.
    if (line === drawn || isWriting) return;
    isWriting = true;
    write(streams, erasing(drawn, streams.columnsErr) + line, () => {
      isWriting = false;
    });
    drawn = line;
  };
  return {
    show: (moment) => draw(barLine(moment, streams.columnsErr - 1)),
    clear: () => {
      if (drawn !== '') write(streams, erasing(drawn, streams.columnsErr));
      drawn = '';
    },
  };
}

/** Takes a line away that a terminal made narrower since may have broken into several. */
function erasing(drawn: string, columns: number): string {
  if (drawn === '') return '';
  const above = Math.ceil(widthOf(drawn) / columns) - 1;
  return `\r${above > 0 ? `\x1b[${above}A` : ''}\x1b[J`;
}

/** `████░░░░ 1,240/10,000 · 3 failed · 310/s · 28 s left`, without what there is no room for. */
function barLine(moment: Moment, columns: number): string {
  const text = fitting(variants(moment), columns);
  const bar = Math.min(WIDEST_BAR, columns - widthOf(text) - 1);
  const { counts } = moment;
  if (bar < NARROWEST_BAR || counts === undefined) return text;
  const full = counts.total === 0 ? bar : Math.min(bar, Math.floor((bar * counts.done) / counts.total));
  return `${'█'.repeat(full)}${'░'.repeat(bar - full)} ${text}`;
}

/** From the longest to the shortest. */
function variants(moment: Moment): string[] {
  const { perSecond, pausedMs } = moment;
  const left = timeLeft(moment);
  const ends: string[][] =
    pausedMs > 0
      ? [[pauseText(pausedMs)], [waiting(pausedMs)]]
      : [[rate(perSecond), left && `${left} left`], [left && `${left} left`]];
  return [...ends, []].map((end) => [...head(moment), ...end].filter((part) => part !== '').join(' · '));
}

function head({ counts }: Moment, doneWord = ''): string[] {
  if (counts === undefined) return [];
  const { done, total, failed } = counts;
  return [`${grouped(done)}/${grouped(total)}${doneWord}`, failed > 0 ? `${grouped(failed)} failed` : ''];
}

function fitting(texts: readonly string[], columns: number): string {
  return (
    texts.find((text) => widthOf(text) <= columns) ?? (texts.at(-1) ?? '').slice(0, Math.max(columns, 0))
  );
}

function rate(perSecond: number | undefined): string {
  if (perSecond === undefined) return '';
  return `${grouped(perSecond < 10 ? Math.round(perSecond * 10) / 10 : Math.round(perSecond))}/s`;
}

/** `waiting 28 s: the server asks for patience`. */
export function pauseText(pausedMs: number): string {
  return `${waiting(pausedMs)}: the server asks for patience`;
}

function waiting(pausedMs: number): string {
  return `waiting ${span(pausedMs)}`;
}

function timeLeft({ counts, perSecond }: Moment): string {
  if (counts === undefined || perSecond === undefined || perSecond <= 0) return '';
  const { done, total } = counts;
  return done >= total ? '' : span(((total - done) * 1000) / perSecond);
}

/** `28 s`, `4 min`, `2 h 5 min`. */
function span(spanMs: number): string {
  const seconds = Math.ceil(spanMs / 1000);
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A stderr that takes no more is no reason to stop an apply. */
function write(streams: Streams, text: string, onWritten: () => void = () => {}): void {
  streams.writeErr(text).then(onWritten, onWritten);
}
