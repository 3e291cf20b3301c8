import type { Outcome } from '../../cli/base-command.ts';
import { EngineCommand } from '../../cli/engine-command.ts';
import { isLoopback } from '../../contract/uri.ts';
import { injectedText, labFlags, labOf } from './lab.ts';
import { serveFlags, serveSettings } from './serve-settings.ts';

export default class EngineServe extends EngineCommand {
  static override summary = 'Serve the bundled engine over HTTP';
  static override description =
    'Every operation of the API on the database of this machine, and its dashboard, until Ctrl-C; requests in flight are finished first. With --latency, --fail-rate, --drop-rate, --no-idempotency or --no-list it is a lab that stands for a worse server on a worse network (docs/lab.md).';
  static override examples = [
    'partner engine serve --port 4650',
    'partner engine serve --port 0 --rate-limit 20 --json',
    'partner engine serve --latency 200ms --fail-rate 0.1 --drop-rate 0.05 --rate-limit 20/s --seed 7',
  ];
  static override flags = { ...serveFlags, ...labFlags };

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(EngineServe);
    const settings = serveSettings(flags, this.context.env);
    const perSecond = settings['rate-limit'];
    const lab = labOf(flags);
    const engine = await this.engine({
      rateLimit: perSecond === undefined ? undefined : { perSecond },
      candidateRateLimit: { perSecond: settings['candidate-rate-limit'] },
      reportBug: (fault) => void this.noteFault(fault),
    });
    const server = await engine.serve({ host: settings.host, port: settings.port, lab });
    const { url } = server;
    // One line at once: whoever started the server waits for the address, not for its end.
    await this.streams.writeOut(
      flags.json ? `${JSON.stringify({ url, port: server.port, lab })}\n` : `${url}\n`,
    );
    if (lab !== undefined) await this.note(`lab: seed ${lab.seed}`);
    await this.note('Ctrl-C stops it; `partner engine keys create` gives a key for it');
    await this.note(dashboardNote(url));
    await this.untilInterrupted();
    await server.close();
    const injected = server.injected();
    if (injected !== undefined) await this.note(injectedText(injected));
    return { json: undefined, text: () => '' };
  }
}

/** Where the dashboard of a server is, how to get in, and what there is to beware of. */
function dashboardNote(url: string): string[] {
  // A server that listens on every address is reached at this machine's own.
  const origin = new URL(url).origin.replace('//0.0.0.0', '//127.0.0.1').replace('//[::]', '//[::1]');
  const note = `the dashboard is on ${origin}/dashboard; \`partner dashboard --at ${origin}\` signs you in`;
  if (isLoopback(new URL(url).hostname)) return [note];
  const warning =
    'warning: it is open to other machines, over plain http: whoever can listen on the network can sign in as you do';
  return [note, warning];
}
