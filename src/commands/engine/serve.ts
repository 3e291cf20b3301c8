import * as Flags from '@oclif/core/flags';
import { type Outcome, PartnerCommand } from '../../base-command.ts';
import { wholeNumber } from '../../command-line/flag-values.ts';

export default class EngineServe extends PartnerCommand {
  static override summary = 'Serve the bundled engine over HTTP';
  static override description =
    'Every operation of the API on the database of this machine, until Ctrl-C; requests in flight are finished first.';
  static override examples = [
    'partner engine serve --port 4650',
    'partner engine serve --port 0 --rate-limit 20 --json',
  ];
  static override flags = {
    host: Flags.string({ helpValue: 'H', default: '127.0.0.1', description: 'The address to listen on' }),
    port: Flags.string({ helpValue: 'N', default: '4650', description: 'The port; 0 takes a free one' }),
    'rate-limit': Flags.string({
      helpValue: 'N',
      description: 'Answer 429 to a key past this many requests a second',
    }),
  };

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(EngineServe);
    const perSecond =
      flags['rate-limit'] === undefined
        ? undefined
        : wholeNumber('--rate-limit', flags['rate-limit'], { min: 1 });
    const port = wholeNumber('--port', flags.port, { min: 0, max: 65_535 });
    const engine = await this.engine({
      rateLimit: perSecond === undefined ? undefined : { perSecond },
      reportBug: (fault) =>
        void this.note(fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)),
    });
    const server = await engine.serve({ host: flags.host, port });
    // One line at once: whoever started the server waits for the address, not for its end.
    const address = flags.json
      ? `${JSON.stringify({ url: server.url, port: server.port })}\n`
      : `${server.url}\n`;
    await this.streams.writeOut(address);
    await this.note('Ctrl-C stops it; `partner engine keys create` gives a key for it');
    await this.untilInterrupted();
    await server.close();
    return { json: undefined, text: () => '' };
  }
}
