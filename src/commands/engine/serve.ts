import type { Outcome } from '../../cli/base-command.ts';
import { EngineCommand } from '../../cli/engine-command.ts';
import type { LogLevel, ServerLog } from '../../engine/server/logs.ts';
import { injectedText, labFlags, labOf } from './lab.ts';
import { dashboardNote, exposure, logOfNotes, reportBugTo } from './serve-notes.ts';
import { migrateFlag, serveFlags, serveSettings } from './serve-settings.ts';

export default class EngineServe extends EngineCommand {
  static override summary = 'Serve the bundled engine over HTTP';
  static override description =
    "Every operation of the API on the engine's database, the candidates' side and the dashboard, until Ctrl-C or SIGTERM; requests in flight are finished first, a second signal ends it at once. Each flag down to --pool-size is also a variable: --stop-delay 5s is PARTNER_ENGINE_STOP_DELAY=5s. With --latency, --fail-rate, --drop-rate, --no-idempotency or --no-list it is a lab that stands for a worse server on a worse network (docs/lab.md). More in docs/engine.md.";
  static override examples = [
    'partner engine serve --port 4650',
    'partner engine serve --port 0 --rate-limit 20 --json',
    {
      description: 'For a team, behind a proxy of this machine, watched by Prometheus',
      command:
        'partner engine serve --port 4660 --trust-proxy 127.0.0.1 --metrics-port 9464 --log-level info --stop-delay 5s',
    },
    'partner engine serve --latency 200ms --fail-rate 0.1 --drop-rate 0.05 --rate-limit 20/s --seed 7',
  ];
  static override flags = { ...serveFlags, ...migrateFlag, ...labFlags };

  /** Of JSON lines; undefined where a person reads stderr. */
  #lines: ServerLog | undefined;

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(EngineServe);
    const settings = serveSettings(flags, this.context.env);
    const perSecond = settings['rate-limit'];
    const lab = labOf(flags);
    const log = await this.openLog(settings['log-level']);
    const engine = await this.engine({
      access: flags['no-migrate'] ? 'serve' : 'migrate',
      rateLimit: perSecond === undefined ? undefined : { perSecond },
      candidateRateLimit: { perSecond: settings['candidate-rate-limit'] },
      poolSize: settings['pool-size'],
      reportBug: reportBugTo(log),
    });
    const server = await engine.serve({
      host: settings.host,
      port: settings.port,
      metricsPort: settings['metrics-port'],
      connectionsMax: settings['max-connections'],
      times: { headersMs: settings['header-timeout'], drainMs: settings['stop-timeout'] },
      trustedProxies: settings['trust-proxy'],
      log: settings['log-level'] === 'silent' ? undefined : log,
      lab,
    });
    const { url, port, metricsUrl } = server;
    // One line at once: whoever started the server waits for the address, not for its end.
    await this.streams.writeOut(
      flags.json ? `${JSON.stringify({ url, port, metricsUrl, lab })}\n` : `${url}\n`,
    );
    log.event('info', 'listening', { url, metricsUrl, database: engine.databaseName, pid: process.pid });
    if (lab !== undefined) await this.note(`lab: seed ${lab.seed}`);
    await this.advise('Ctrl-C stops it; `partner engine keys create` gives a key for it');
    await this.advise(dashboardNote(url));
    const open = exposure(url, metricsUrl);
    if (open !== undefined) log.event('warn', open.message, open.facts);
    await this.untilInterrupted();
    log.event('info', 'stopping', { delayMs: settings['stop-delay'], timeoutMs: settings['stop-timeout'] });
    await this.advise('stopping: requests in flight are finished first; a second Ctrl-C stops at once');
    await server.close({ delayMs: settings['stop-delay'] });
    log.event('info', 'stopped');
    const injected = server.injected();
    if (injected !== undefined) await this.note(injectedText(injected));
    return { json: undefined, text: () => '' };
  }

  /** JSON lines where stderr is no terminal, or a level is asked for; what follows goes there too. */
  private async openLog(level: LogLevel | undefined): Promise<ServerLog> {
    if (level === undefined && this.streams.stderrIsTerminal) return logOfNotes((lines) => this.note(lines));
    const { openServerLog } = await import('../../cli/connection/bundled-engine.ts');
    this.#lines = await openServerLog(level ?? 'info');
    this.toClose.push(this.#lines.close);
    return this.#lines;
  }

  /** For the person at the terminal. */
  private async advise(said: string): Promise<void> {
    if (this.#lines === undefined) await super.note(said);
  }

  protected override async note(said: string | readonly string[]): Promise<void> {
    if (this.#lines === undefined) return super.note(said);
    if (!this.globals.quiet) for (const line of [said].flat()) this.#lines.event('info', line);
  }
}
