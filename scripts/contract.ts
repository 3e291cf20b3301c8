// `npm run contract -- URL [KEY]`: holds any server against the specification, with what one partner key may do without harm.
import { parseArgs } from 'node:util';
import { isLoopback } from '../src/contract/uri.ts';
import { contractRun } from './contract/run.ts';
import { lineText, summaryText } from './contract/text.ts';

const USAGE = `npm run contract -- URL [KEY] [--publish] [--query-parameter NAME] [--allow-insecure]

URL is the base URL, which ends in /v1; KEY is better given as PARTNER_API_KEY, which no list of processes shows.
--publish also publishes a few listings, and closes them: where the terms are accepted and a card is on file.
--query-parameter NAME asks the location search with NAME instead of q.`;

process.exitCode = await main();

async function main(): Promise<number> {
  let given: ReturnType<typeof readArguments>;
  try {
    given = readArguments();
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    return 2;
  }
  try {
    const stop = new AbortController();
    process.once('SIGINT', () => {
      console.error('stopping; what was published is closed first');
      stop.abort();
    });
    const report = await contractRun(
      { ...given, onLine: (line) => void process.stdout.write(`${lineText(line)}\n`) },
      stop.signal,
    );
    process.stdout.write(summaryText(report));
    if (stop.signal.aborted) return 130;
    return report.lines.some(({ verdict }) => verdict === 'broken') || report.live.length > 0 ? 1 : 0;
  } catch (error) {
    const { message, cause } = error as Error;
    console.error(`cannot begin: ${message || (error as { code?: string }).code}`, cause ?? '');
    return 1;
  }
}

/** Throws where they cannot be used. */
function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      publish: { type: 'boolean' },
      'query-parameter': { type: 'string' },
      'allow-insecure': { type: 'boolean' },
    },
  });
  const [url = '', key = process.env.PARTNER_API_KEY ?? '', ...more] = positionals;
  if (!URL.canParse(url) || !/^https?:/.test(url)) throw new Error('the base URL is missing or is none');
  if (key === '') throw new Error('a partner key is missing');
  if (more.length > 0) throw new Error(`not understood: ${more.join(' ')}`);
  const { protocol, hostname } = new URL(url);
  if (protocol === 'http:' && !isLoopback(hostname) && !values['allow-insecure'])
    throw new Error('the key would go over plain http: use https, or add --allow-insecure');
  const queryParameter = values['query-parameter'];
  return {
    baseUrl: url.replace(/\/+$/, ''),
    key,
    publish: values.publish ?? false,
    ...(queryParameter !== undefined && { queryParameter }),
  };
}
