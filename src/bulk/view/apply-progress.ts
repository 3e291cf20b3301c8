import { clean } from '../../cli/terminal/clean.ts';
import type { Streams } from '../../cli/terminal/streams.ts';
import { widthOf } from '../../cli/terminal/width.ts';
import { grouped } from '../../contract/money.ts';
import type { ApplyProgress } from '../apply/execute.ts';

export interface ApplyProgressView {
  update(progress: ApplyProgress): void;
  /** The server asks for no calls until then, on the monotonic clock. */
  paused(untilMs: number): void;
  /** A line that stays, above the progress. */
  say(text: string): void;
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

/** On a terminal one line on stderr that is redrawn; in a pipe, in CI and under `--json` a line every five seconds. */
export function showApplyProgress(streams: Streams, options: ApplyProgressOptions): ApplyProgressView {
  const { monotonicNow, isQuiet = false, ticker = intervalTicker } = options;
  if (isQuiet) return { update: () => {}, paused: () => {}, say: () => {}, stop: () => {} };
  const isRedrawn = streams.showsProgress;
  const pace = paceMeter();
  const line = redrawnLine(streams);
  let progress: ApplyProgress | undefined;
  let pause = { fromMs: 0, untilMs: 0 };
  const stopTicking = ticker(isRedrawn ? REDRAW_MS : LINE_MS, () => {
    const now = monotonicNow();
    if (progress !== undefined) pace.measure(progress.done, now);
    const perSecond = progress && pace.perSecond(progress, now);
    const moment = { progress, perSecond, pausedMs: Math.max(0, pause.untilMs - now) };
    const hasOwnLine = moment.pausedMs > 0 && pause.untilMs - pause.fromMs >= LONG_PAUSE_MS;
    if (isRedrawn) line.draw(barLine(moment, streams.columnsErr - 1));
    else if (!hasOwnLine && progress !== undefined) write(streams, `${plainLine(moment)}\n`);
  });
  return {
    update: (next) => {
      progress = next;
      pace.measure(next.done, monotonicNow());
    },
    paused: (untilMs) => {
      const nowMs = monotonicNow();
      pause = { fromMs: pause.untilMs > nowMs ? pause.fromMs : nowMs, untilMs };
    },
    say: (text) => {
      line.clear();
      write(streams, `${clean(text)}\n`);
    },
    stop: () => {
      stopTicking();
      progress = undefined;
      pause = { fromMs: 0, untilMs: 0 };
      line.clear();
    },
  };
}

function intervalTicker(everyMs: number, tick: () => void): () => void {
  const timer = setInterval(tick, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

interface Moment {
  readonly progress: ApplyProgress | undefined;
  readonly perSecond: number | undefined;
  /** For how long the server still asks for no calls. */
  readonly pausedMs: number;
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
    perSecond({ done, startedAt }: ApplyProgress, now: number): number | undefined {
      const first = samples[0] ?? { at: startedAt, done: 0 };
      const spanMs = now - first.at;
      return spanMs < SHORTEST_WINDOW_MS ? undefined : ((done - first.done) * 1000) / spanMs;
    },
  };
}

/** `1,240/10,000 done, 3 failed, 310/s, about 28 s left`. */
function plainLine(moment: Moment): string {
  const { perSecond, pausedMs } = moment;
  const left = timeLeft(moment);
  const ends = pausedMs > 0 ? [pauseText(pausedMs)] : [rate(perSecond), left && `about ${left} left`];
  return [...head(moment, ' done'), ...ends].filter((part) => part !== '').join(', ');
}

function redrawnLine(streams: Streams) {
  let drawn = '';
  let isWriting = false;
  return {
    draw(line: string): void {
      // A terminal that is slow gets no queue of lines.
      if (line === drawn || isWriting) return;
      isWriting = true;
      write(streams, erasing(drawn, streams.columnsErr) + line, () => {
        isWriting = false;
      });
      drawn = line;
    },
    clear(): void {
      if (drawn !== '') write(streams, erasing(drawn, streams.columnsErr));
      drawn = '';
    },
  };
}

/** A terminal that was made narrower since may have broken the line into several. */
function erasing(drawn: string, columns: number): string {
  if (drawn === '') return '';
  const above = Math.ceil(widthOf(drawn) / columns) - 1;
  return `\r${above > 0 ? `\x1b[${above}A` : ''}\x1b[J`;
}

/** `████░░░░ 1,240/10,000 · 3 failed · 310/s · 28 s left`, without what there is no room for. */
function barLine(moment: Moment, columns: number): string {
  const texts = variants(moment);
  const shortest = (texts.at(-1) ?? '').slice(0, Math.max(columns, 0));
  const text = texts.find((each) => widthOf(each) <= columns) ?? shortest;
  const bar = Math.min(WIDEST_BAR, columns - widthOf(text) - 1);
  const { progress } = moment;
  if (bar < NARROWEST_BAR || progress === undefined) return text;
  const { done, total } = progress;
  const full = total === 0 ? bar : Math.min(bar, Math.floor((bar * done) / total));
  return `${'█'.repeat(full)}${'░'.repeat(bar - full)} ${text}`;
}

function variants(moment: Moment): string[] {
  const { perSecond, pausedMs } = moment;
  const left = timeLeft(moment);
  const ends: string[][] =
    pausedMs > 0
      ? [[pauseText(pausedMs)], [waiting(pausedMs)]]
      : [[rate(perSecond), left && `${left} left`], [left && `${left} left`]];
  return [...ends, []].map((end) => [...head(moment), ...end].filter((part) => part !== '').join(' · '));
}

function head({ progress }: Moment, doneWord = ''): string[] {
  if (progress === undefined) return [];
  const { done, total, failed } = progress;
  return [`${grouped(done)}/${grouped(total)}${doneWord}`, failed > 0 ? `${grouped(failed)} failed` : ''];
}

function rate(perSecond: number | undefined): string {
  if (perSecond === undefined) return '';
  return `${perSecond < 10 ? Math.round(perSecond * 10) / 10 : grouped(Math.round(perSecond))}/s`;
}

/** `waiting 28 s: the server asks for patience`. */
export function pauseText(pausedMs: number): string {
  return `${waiting(pausedMs)}: the server asks for patience`;
}

function waiting(pausedMs: number): string {
  return `waiting ${span(pausedMs)}`;
}

function timeLeft({ progress, perSecond }: Moment): string {
  if (progress === undefined || perSecond === undefined || perSecond <= 0) return '';
  const { done, total } = progress;
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
