import Mocha from 'mocha';
import { NotOffered, NotTried, ON_ANY_SERVER } from '../../test/http/any-server.ts';
import table from '../../test/http/rows.json' with { type: 'json' };
import { specification, titlesIn } from '../../test/http/specification.ts';
import { openRemote, type RemoteOptions } from './remote.ts';
import type { ContractLine, ContractReport } from './text.ts';

const GLOBALS = ['describe', 'it', 'before', 'after', 'beforeEach', 'afterEach'] as const;

/** Tests a server against the specification until `signal` aborts. Throws if the key can't create a draft. */
export async function contractRun(options: RemoteOptions, signal?: AbortSignal): Promise<ContractReport> {
  const subject = await openRemote(options);
  const mocha = new Mocha({ timeout: 120_000, reporter: class {} as never });
  // Restores the globals afterwards, because this Mocha may run inside a test of another Mocha.
  const outside = Object.fromEntries(GLOBALS.map((name) => [name, globalThis[name]]));
  mocha.suite.emit('pre-require', globalThis as never, '', mocha);
  try {
    specification('against a server', async () => ({ ...subject, close: async () => {} }));
  } finally {
    Object.assign(globalThis, outside);
  }
  keepMarked(mocha.suite);

  const lines = new Map<Mocha.Runnable, ContractLine>();
  const note = (test: Mocha.Runnable, error?: Error): void => {
    if (lines.has(test)) return;
    const line = lineOf(test.title, error);
    lines.set(test, line);
    options.onLine?.(line);
  };
  await new Promise<void>((resolve) => {
    const runner = mocha.run(() => resolve());
    signal?.addEventListener('abort', () => runner.abort());
    runner.on('pass', (test) => note(test));
    runner.on('fail', (test: Mocha.Runnable, error: Error) => {
      // If a hook fails, its tests don't run, so they're reported with the error of the hook.
      const failed = test instanceof Mocha.Hook ? testsIn(test.parent as Mocha.Suite) : [test];
      for (const each of failed) note(each, error);
    });
  });
  await subject.close();
  const titles = titlesIn(mocha.suite);
  mocha.dispose();
  return {
    lines: [...lines.values()],
    untouched: table.rows.filter((row) => !titles.some((title) => title.startsWith(row))),
    drafts: [...subject.remote.drafts],
    live: [...subject.remote.live],
  };
}

function lineOf(whole: string, error?: Error): ContractLine {
  const title = whole.replace(ON_ANY_SERVER, '').replace(/ \(decisions? [^)]*\)/g, '');
  if (error === undefined) return { verdict: 'held', title };
  const [reason = ''] = error.message.split('\n').filter(Boolean);
  if (error instanceof NotOffered) return { verdict: 'not offered', title, reason };
  return { verdict: error instanceof NotTried ? 'not tried' : 'broken', title, reason };
}

function keepMarked(suite: Mocha.Suite): void {
  suite.tests = suite.tests.filter(({ title }) => title.endsWith(ON_ANY_SERVER));
  for (const each of suite.suites) keepMarked(each);
}

function testsIn(suite: Mocha.Suite): Mocha.Test[] {
  return [...suite.tests, ...suite.suites.flatMap(testsIn)];
}
