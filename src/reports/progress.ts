import type { ApplyProgress } from '../bulk/apply/execute.ts';
import type { Streams } from '../cli/terminal/streams.ts';
import { clean } from '../cli/terminal/view.ts';
import { getWidth, shorten } from '../cli/terminal/width.ts';
import { formatNumber } from '../contract/words.ts';

const REDRAW_MS = 100;
const LINE_MS = 5000;
/** Minimum time for a rate, because a rate over a shorter time is meaningless. */
const SHORTEST_SPAN_MS = 500;
export const LONG_PAUSE_MS = 5000;

export function showApplyProgress(
  streams: Streams,
  options: { monotonicNow: () => number; isQuiet?: boolean | undefined; ticker?: typeof intervalTicker },
) {
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
    const text = formatProgress(progress, pausedMs, now);
    if (isRedrawn) line.draw(shorten(text, streams.columnsErr - 1));
    else if (!hasOwnLine && progress !== undefined) write(streams, `${text}\n`);
  });
  return {
    update: (next: ApplyProgress): void => {
      progress = next;
    },
    paused: (untilMs: number): void => {
      const nowMs = monotonicNow();
      pause = { fromMs: pause.untilMs > nowMs ? pause.fromMs : nowMs, untilMs };
    },
    say: (text: string): void => {
      line.clear();
      write(streams, `${clean(text)}\n`);
    },
    stop: (): void => {
      stopTicking();
      line.clear();
    },
  };
}

function intervalTicker(everyMs: number, tick: () => void): () => void {
  const timer = setInterval(tick, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

function formatProgress(progress: ApplyProgress | undefined, pausedMs: number, now: number): string {
  const pause = pausedMs > 0 ? pauseText(pausedMs) : undefined;
  if (progress === undefined) return pause ?? '';
  const { done, total, failed, startedAt } = progress;
  const spanMs = now - startedAt;
  const perSecond = spanMs < SHORTEST_SPAN_MS ? 0 : (done * 1000) / spanMs;
  const left = ((total - done) * 1000) / perSecond;
  const parts = [`${formatNumber(done)}/${formatNumber(total)} done`];
  if (failed > 0) parts.push(`${formatNumber(failed)} failed`);
  if (pause !== undefined) return `${parts.join(', ')}. ${pause}`;
  if (perSecond > 0) parts.push(rate(perSecond), ...(left > 0 ? [`about ${span(left)} left`] : []));
  return parts.join(', ');
}

function redrawnLine(streams: Streams) {
  let drawn = '';
  let isWriting = false;
  return {
    draw(line: string): void {
      if (line === drawn || isWriting) return;
      isWriting = true;
      write(streams, eraseLine(drawn, streams.columnsErr) + line, () => {
        isWriting = false;
      });
      drawn = line;
    },
    clear(): void {
      if (drawn !== '') write(streams, eraseLine(drawn, streams.columnsErr));
      drawn = '';
    },
  };
}

/** Erases several rows if needed, because the line wraps when the terminal becomes narrower. */
function eraseLine(drawn: string, columns: number): string {
  if (drawn === '') return '';
  const above = Math.ceil(getWidth(drawn) / columns) - 1;
  return `\r${above > 0 ? `\x1b[${above}A` : ''}\x1b[J`;
}

function rate(perSecond: number): string {
  return `${perSecond < 10 ? Math.round(perSecond * 10) / 10 : formatNumber(Math.round(perSecond))}/s`;
}

export function pauseText(pausedMs: number): string {
  return `Rate limited. Retrying in ${span(pausedMs)}`;
}

function span(spanMs: number): string {
  const seconds = Math.ceil(spanMs / 1000);
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Ignores errors, because an apply must not fail if stderr can't be written. */
function write(streams: Streams, text: string, onWritten: () => void = () => {}): void {
  streams.writeErr(text).then(onWritten, onWritten);
}
