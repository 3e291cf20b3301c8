import * as Flags from '@oclif/core/flags';
import { openBrowser } from '../../actions/browser.ts';
import { type Outcome, PartnerCommand } from '../../base-command.ts';
import { companyFlag } from '../../command-line/company-flag.ts';
import { wholeNumber } from '../../command-line/flag-values.ts';

const HOST = '127.0.0.1';

export default class DashboardOpen extends PartnerCommand {
  static override summary = "Open the bundled engine's dashboard in a browser, signed in";
  static override description =
    'Prints a link that signs in once, within 10 minutes, and opens it where there is a browser. The dashboard is that of a running `partner engine serve`; where none runs, this command serves it on this machine alone, until Ctrl-C.';
  static override examples = [
    'partner dashboard',
    'partner dashboard --no-browser --port 4650',
    { description: 'For a program', command: 'partner dashboard --json' },
  ];
  static override flags = {
    ...companyFlag,
    port: Flags.string({
      helpValue: 'N',
      description: 'The port: of the server that is meant, or to serve on where none runs there',
    }),
    browser: Flags.boolean({
      allowNo: true,
      default: true,
      description: 'Open a browser; never over SSH, in a CI, without a display or a terminal',
    }),
  };

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(DashboardOpen);
    const port =
      flags.port === undefined ? undefined : wholeNumber('--port', flags.port, { min: 0, max: 65_535 });
    const engine = await this.engine({ reportBug: (fault) => void this.noteFault(fault) });
    const companyId = await engine.companyId(flags.company);
    const running = await engine.runningServer(port);
    const origin = running ?? (await this.serve(engine, port ?? 0));
    const { path, expiresAt } = await engine.signInLink(companyId);
    const url = `${origin}${path}`;
    const opened = flags.browser && this.streams.stdoutIsTerminal && !flags.json;
    const json = { url, expiresAt };
    if (running !== undefined) {
      return { json, text: () => `${url}\n`, hint: await this.shown(url, opened) };
    }
    // At once: whoever waits for the link does not wait for the server's end.
    await this.streams.writeOut(flags.json ? `${JSON.stringify(json)}\n` : `${url}\n`);
    await this.note(await this.shown(url, opened));
    await this.note(
      `the dashboard is served on ${origin} until Ctrl-C; \`partner dashboard\` in another terminal gives another link`,
    );
    await this.untilInterrupted();
    return { json: undefined, text: () => '' };
  }

  private async serve(engine: Awaited<ReturnType<typeof this.engine>>, port: number): Promise<string> {
    const server = await engine.serve({ host: HOST, port });
    this.atEnd(server.close);
    return server.origin;
  }

  /** What to say of a link that was printed; opens it where that is wanted. */
  private async shown(url: string, isToOpen: boolean): Promise<string> {
    const once = 'the link signs in once, within 10 minutes';
    if (!isToOpen) return once;
    const why = await openBrowser(url, this.surroundings);
    return why === undefined ? `${once}; it opens in your browser` : `${once}; open it yourself, as ${why}`;
  }
}
