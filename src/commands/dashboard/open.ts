import * as Flags from '@oclif/core/flags';
import type { Outcome } from '../../cli/base-command.ts';
import { EngineCommand } from '../../cli/engine-command.ts';
import { companyFlag, numberFlag } from '../../cli/flags/flag-values.ts';
import { isWebAddress } from '../../cli/settings/config.ts';
import { PartnerError } from '../../contract/errors.ts';
import { reportOf } from '../../contract/fault-report.ts';
import { openBrowser } from './browser.ts';

const HOST = '127.0.0.1';

export default class DashboardOpen extends EngineCommand {
  static override summary = "Open the bundled engine's dashboard in a browser, signed in";
  static override description =
    'Prints a link that signs in once, within 10 minutes, and opens it where there is a browser. This command serves the dashboard on this machine alone, until Ctrl-C; --at gives a link to a `partner engine serve` that runs already.';
  static override examples = [
    'partner dashboard',
    'partner dashboard --no-browser --port 4650',
    { description: 'A link to a server that runs', command: 'partner dashboard --at http://127.0.0.1:4650' },
    { description: 'For a program', command: 'partner dashboard --json' },
  ];
  static override flags = {
    ...companyFlag,
    port: numberFlag({ min: 0, max: 65_535, default: 0, description: 'The port; 0 takes a free one' }),
    at: Flags.custom<string>({ helpValue: 'URL', parse: async (url) => originOf(url) })({
      exclusive: ['port'],
      description: 'The address of a `partner engine serve` of this database: gives a link to it, and ends',
    }),
    browser: Flags.boolean({
      allowNo: true,
      default: true,
      description: 'Open a browser; never over SSH, in a CI, without a display or a terminal',
    }),
  };

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(DashboardOpen);
    const { at } = flags;
    const engine = await this.engine({
      // Its client only sees a 500.
      reportBug: (fault) => void this.note(`error: ${reportOf(fault)}`.split('\n')),
    });
    const companyId = await engine.companyId(flags.company);
    const origin = at ?? (await this.serve(engine, flags.port));
    const { path, expiresAt } = await engine.signInLink(companyId);
    const url = `${origin}${path}`;
    const opened = flags.browser && this.streams.stdoutIsTerminal && !flags.json;
    const json = { url, expiresAt };
    if (at !== undefined) {
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
    this.toClose.push(server.close);
    return `http://${HOST}:${server.port}`;
  }

  /** What to say of a link that was printed; opens it where that is wanted. */
  private async shown(url: string, isToOpen: boolean): Promise<string> {
    const once = 'the link signs in once, within 10 minutes';
    if (!isToOpen) return once;
    const why = await openBrowser(url, this.context);
    return why === undefined ? `${once}; it opens in your browser` : `${once}; open it yourself, as ${why}`;
  }
}

function originOf(url: string): string {
  if (isWebAddress(url)) return new URL(url).origin;
  throw new PartnerError('USAGE', {
    message: `--at takes the address of a server, not \`${url}\``,
    hint: 'write it as `partner engine serve` prints it: http://127.0.0.1:4650/v1',
  });
}
