import Mocha from 'mocha';
import { NotOffered, NotTried, ON_ANY_SERVER } from '../../test/http/any-server.ts';
import { ROWS } from '../../test/http/rows.ts';
import { specification, titlesIn } from '../../test/http/specification.ts';
import { openRemote, type RemoteOptions } from './remote.ts';

export type Verdict = 'held' | 'broken' | 'not offered' | 'not tried';

interface ContractLine {
  readonly verdict: Verdict;
  /** As the specification numbers it; several sentences have ` = ` between them. */
  readonly title: string;
  readonly reason?: string;
}

export interface ContractReport {
  readonly lines: readonly ContractLine[];
  /** The rows of the specification that no such test is about. */
  readonly untouched: readonly string[];
  /** Ids of the drafts that stay: the API has no way to remove them. */
  readonly drafts: readonly number[];
  /** Ids of what was published and could not be closed. */
  readonly live: readonly number[];
}

const GLOBALS = ['describe', 'it', 'before', 'after', 'beforeEach', 'afterEach'] as const;

/** Holds any server against the contract, until it is done or aborted. Throws where the key makes no draft. */
export async function contractRun(options: RemoteOptions, signal?: AbortSignal): Promise<ContractReport> {
  const subject = await openRemote(options);
  const mocha = new Mocha({ timeout: 120_000, reporter: class {} as never });
  // The sections are read by this mocha, which may be within a test of another.
  const outside = Object.fromEntries(GLOBALS.map((name) => [name, globalThis[name]]));
  mocha.suite.emit('pre-require', globalThis as never, '', mocha);
  try {
    specification('against a server', async () => ({ ...subject, close: async () => {} }));
  } finally {
    Object.assign(globalThis, outside);
  }
  keepMarked(mocha.suite);

  const lines = new Map<Mocha.Runnable, ContractLine>();
  await new Promise<void>((resolve) => {
    const runner = mocha.run(() => resolve());
    signal?.addEventListener('abort', () => runner.abort());
    runner
      .on('pass', (test) => void lines.set(test, lineOf(test.title)))
      .on('fail', (test: Mocha.Runnable, error: Error) => {
        // Where a hook fails, the tests behind it are not run.
        const failed = test instanceof Mocha.Hook ? testsIn(test.parent as Mocha.Suite) : [test];
        for (const each of failed) if (!lines.has(each)) lines.set(each, lineOf(each.title, error));
      });
  });
  await subject.close();
  const titles = titlesIn(mocha.suite);
  mocha.dispose();
  return {
    lines: [...lines.values()],
    untouched: ROWS.filter((row) => !titles.some((title) => title.startsWith(row))),
    drafts: [...subject.remote.drafts],
    live: [...subject.remote.live],
  };
}

/** A line about a test that failed, or that held. */
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
