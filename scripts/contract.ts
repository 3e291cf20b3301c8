// `npm run contract -- URL [KEY]`: tests any server against the specification, without side effects on existing jobs.
import { parseArgs } from 'node:util';
import { isLoopback } from '../src/contract/uri.ts';
import { contractRun } from './contract/run.ts';
import { lineText, summaryText } from './contract/text.ts';

const USAGE = `npm run contract -- URL [KEY] [--publish] [--query-parameter NAME] [--allow-insecure]

URL is the base URL of the API, such as https://api.example.com/v1. Set KEY in PARTNER_API_KEY instead,
because other users can see arguments in the process list.
--publish               Also publish about ten listings and close them (requires accepted terms and a card)
--query-parameter NAME  Name of the search text in a location search (default: q)
--allow-insecure        Allow sending the key over plain HTTP`;

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
      console.error('Stopping. Closing the published jobs first.');
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
    console.error(`Can't start: ${message || (error as { code?: string }).code}`, cause ?? '');
    return 1;
  }
}

/** Throws if an argument is missing or invalid. */
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
  if (!URL.canParse(url) || !/^https?:/.test(url)) throw new Error('The base URL is missing or invalid.');
  if (key === '') throw new Error('The partner key is missing.');
  if (more.length > 0) throw new Error(`Unexpected argument: ${more.join(' ')}`);
  const { protocol, hostname } = new URL(url);
  if (protocol === 'http:' && !isLoopback(hostname) && !values['allow-insecure'])
    throw new Error("Can't send the key over plain HTTP. Use https, or pass --allow-insecure.");
  const queryParameter = values['query-parameter'];
  return {
    baseUrl: url.replace(/\/+$/, ''),
    key,
    publish: values.publish ?? false,
    ...(queryParameter !== undefined && { queryParameter }),
  };
}
