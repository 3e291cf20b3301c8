import type { Streams } from '../../cli/terminal/streams.ts';
import { clean } from '../../cli/terminal/view.ts';
import { shorten, widthOf } from '../../cli/terminal/width.ts';
import { grouped } from '../../contract/words.ts';
import type { ApplyProgress } from '../apply/execute.ts';

export interface ApplyProgressView {
  update(progress: ApplyProgress): void;
  /** The server asks for no calls until then, on the monotonic clock. */
  paused(untilMs: number): void;
  /** A line that stays, above the progress. */
  say(text: string): void;
  stop(): void;
}

const REDRAW_MS = 100;
const LINE_MS = 5000;
/** Over less than this a rate is chance. */
const SHORTEST_SPAN_MS = 500;
/** A pause as long as this has a line of its own in a log, when it begins. */
export const LONG_PAUSE_MS = 5000;

/** On a terminal one line on stderr that is redrawn; in a pipe, in CI and under `--json` a line every five seconds. */
export function showApplyProgress(
  streams: Streams,
  options: { monotonicNow: () => number; isQuiet?: boolean | undefined; ticker?: typeof intervalTicker },
): ApplyProgressView {
  const { monotonicNow, isQuiet = false, ticker = intervalTicker } = options;
  if (isQuiet) return { update: () => {}, paused: () => {}, say: () => {}, stop: () => {} };
  const isRedrawn = streams.showsProgress;
  const line = redrawnLine(streams);
  let progress: ApplyProgress | undefined;
  let pause = { fromMs: 0, untilMs: 0 };
  const stopTicking = ticker(isRedrawn ? REDRAW_MS : LINE_MS, () => {
    const now = monotonicNow();
    const pausedMs = Math.max(0, pause.untilMs - now);
    const hasOwnLine = pausedMs > 0 && pause.untilMs - pause.fromMs >= LONG_PAUSE_MS;
    const text = lineOf(progress, pausedMs, now);
    if (isRedrawn) line.draw(shorten(text, streams.columnsErr - 1));
    else if (!hasOwnLine && progress !== undefined) write(streams, `${text}\n`);
  });
  return {
    update: (next) => {
      progress = next;
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

/** Calls `tick` again and again until what it gives is called. */
function intervalTicker(everyMs: number, tick: () => void): () => void {
  const timer = setInterval(tick, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** `1,240/10,000 done, 3 failed, 310/s, about 28 s left`; the rate is that of the run so far. */
function lineOf(progress: ApplyProgress | undefined, pausedMs: number, now: number): string {
  const pause = pausedMs > 0 ? pauseText(pausedMs) : undefined;
  if (progress === undefined) return pause ?? '';
  const { done, total, failed, startedAt } = progress;
  const spanMs = now - startedAt;
  const perSecond = spanMs < SHORTEST_SPAN_MS ? 0 : (done * 1000) / spanMs;
  const left = ((total - done) * 1000) / perSecond;
  const parts = [`${grouped(done)}/${grouped(total)} done`];
  if (failed > 0) parts.push(`${grouped(failed)} failed`);
  if (pause !== undefined) parts.push(pause);
  else if (perSecond > 0) parts.push(rate(perSecond), ...(left > 0 ? [`about ${span(left)} left`] : []));
  return parts.join(', ');
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

function rate(perSecond: number): string {
  return `${perSecond < 10 ? Math.round(perSecond * 10) / 10 : grouped(Math.round(perSecond))}/s`;
}

/** `waiting 28 s: the server asks for patience`. */
export function pauseText(pausedMs: number): string {
  return `waiting ${span(pausedMs)}: the server asks for patience`;
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
