import * as Flags from '@oclif/core/flags';
import type { Outcome } from '../../cli/base-command.ts';
import { EngineCommand } from '../../cli/engine-command.ts';
import { companyFlag, numberFlag, switchFlag } from '../../cli/flags/flag-values.ts';
import { isWebAddress } from '../../cli/settings/config.ts';
import { createValueError } from '../../cli/settings/server-settings.ts';
import { describeFault } from '../../contract/system-errors.ts';
import { openBrowser } from './browser.ts';

const HOST = '127.0.0.1';

export default class Dashboard extends EngineCommand {
  static override summary = "Open the bundled engine's dashboard in a browser";
  static override description =
    'Prints a sign-in link and opens it in a browser if possible. The link works once and expires in 10 minutes. The dashboard is available only on this machine. Press Ctrl-C to stop the server. --at prints a link to a running `partner engine serve` instead.';
  static override examples = [
    'partner dashboard',
    'partner dashboard --no-browser --port 4650',
    {
      description: 'Print a link to a running server',
      command: 'partner dashboard --at http://127.0.0.1:4650',
    },
    { description: 'Print the link as JSON', command: 'partner dashboard --json' },
  ];
  static override flags = {
    ...companyFlag,
    port: numberFlag({ min: 0, max: 65_535, default: 0, description: 'Port (0 picks a free one)' }),
    at: Flags.custom<string>({ helpValue: 'URL', parse: async (url) => parseOrigin(url) })({
      exclusive: ['port'],
      description: 'URL of a running `partner engine serve` with the same database',
    }),
    browser: switchFlag('Open a browser (never over SSH or in CI)', { allowNo: true, default: true }),
  };

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(Dashboard);
    const { at } = flags;
    const engine = await this.engine({
      // Prints the details of a bug here, because the browser only gets a 500 without details.
      reportBug: (fault) => void this.note(`error: ${describeFault(fault)}`.split('\n')),
    });
    const companyId = await engine.companyId(flags.company);
    const origin = at ?? (await this.serve(engine, flags.port));
    const { path, expiresAt } = await engine.signInLink(companyId);
    const url = `${origin}${path}`;
    const opened = flags.browser && this.streams.stdoutIsTerminal && !flags.json;
    const json = { url, expiresAt };
    if (at !== undefined) {
      return { json, text: () => `${url}\n`, hint: await this.openPage(url, opened) };
    }
    // Printed immediately, because callers wait for the link, not for the server to stop.
    await this.streams.writeOut(flags.json ? `${JSON.stringify(json)}\n` : `${url}\n`);
    await this.note(await this.openPage(url, opened));
    await this.note(
      `Serving the dashboard at ${origin}. Press Ctrl-C to stop. For another link, run \`partner dashboard\` in another terminal.`,
    );
    await this.untilInterrupted();
    return { json: undefined, text: () => '' };
  }

  private async serve(engine: Awaited<ReturnType<typeof this.engine>>, port: number): Promise<string> {
    const server = await engine.serve({ host: HOST, port });
    this.toClose.push(server.close);
    return `http://${HOST}:${server.port}`;
  }

  private async openPage(url: string, isToOpen: boolean): Promise<string> {
    const once = 'the link works once and expires in 10 minutes';
    if (!isToOpen) return once;
    const why = await openBrowser(url, this.context);
    return `${once}. ${why === undefined ? 'Opening it in your browser' : `Open it yourself, because ${why}`}`;
  }
}

function parseOrigin(url: string): string {
  if (isWebAddress(url)) return new URL(url).origin;
  const hint = 'use the URL that `partner engine serve` prints, such as http://127.0.0.1:4650/v1';
  throw createValueError('--at', 'the URL of a server', url, hint);
}
