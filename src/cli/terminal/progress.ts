import type { Streams } from './streams.ts';
import { clean } from './view.ts';

export type Progress = typeof SILENT;

const SILENT = { say: (_text: string): void => {}, stop: (): void => {} };

/** Delays the spinner, so that it doesn't flash during short waits. */
const PATIENCE_MS = 150;

/** Shows a spinner on stderr, except with `--json`, `--quiet`, in CI or in a pipe. */
export function showProgress(streams: Streams, text: string, patienceMs = PATIENCE_MS): Progress {
  if (!streams.showsProgress) return SILENT;
  let said = clean(text);
  let spinner: { text: string; stop(): unknown } | undefined;
  let isOver = false;
  const timer = setTimeout(async () => {
    const started = await startSpinner(streams, said);
    if (isOver) started.stop();
    else spinner = Object.assign(started, { text: said });
  }, patienceMs);
  timer.unref();
  return {
    say: (next) => {
      said = clean(next);
      if (spinner !== undefined) spinner.text = said;
    },
    stop: () => {
      isOver = true;
      clearTimeout(timer);
      spinner?.stop();
    },
  };
}

async function startSpinner({ stderr, colourErr }: Streams, text: string) {
  const { default: ora } = await import('ora');
  return ora({
    text,
    stream: stderr,
    color: colourErr ? 'cyan' : false,
    isEnabled: true,
    // By default, ora sets stdin to raw mode, which breaks prompts.
    discardStdin: false,
  }).start();
}
