import type { Outcome } from '../../cli/base-command.ts';
import { EngineCommand } from '../../cli/engine-command.ts';
import type { LogLevel, ServerLog } from '../../engine/server/logs.ts';
import { formatInjected, labFlags, readLab } from './lab.ts';
import { createReports, dashboardNote, findExposure, logOfNotes } from './serve-notes.ts';
import { migrateFlag, serveFlags, serveSettings } from './serve-settings.ts';

export default class EngineServe extends EngineCommand {
  static override summary = 'Serve the bundled engine over HTTP';
  static override description =
    "Serves the API, the candidate API and the dashboard from the engine's database until Ctrl-C or SIGTERM. In-flight requests finish before the server exits. A second signal stops the server immediately. Lab flags simulate a limited server on a bad network (docs/lab.md). See docs/engine.md for details.";
  static override examples = [
    'partner engine serve --port 4650',
    'partner engine serve --port 0 --rate-limit 20 --json',
    {
      description: 'Serve a team behind a local proxy, with Prometheus metrics',
      command:
        'partner engine serve --port 4660 --trust-proxy 127.0.0.1 --metrics-port 9464 --log-level info --stop-delay 5s',
    },
    'partner engine serve --latency 200ms --fail-rate 0.1 --drop-rate 0.05 --rate-limit 20/s --seed 7',
  ];
  static override flags = { ...serveFlags, ...migrateFlag, ...labFlags };

  /** JSON log. Undefined if logs are printed as notes. */
  #lines: ServerLog | undefined;

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(EngineServe);
    const settings = serveSettings(flags, this.context.env);
    const perSecond = settings['rate-limit'];
    const lab = readLab(flags);
    const log = await this.openLog(settings['log-level']);
    const engine = await this.engine({
      access: flags['no-migrate'] ? 'serve' : 'migrate',
      rateLimit: perSecond === undefined ? undefined : { perSecond },
      candidateRateLimit: { perSecond: settings['candidate-rate-limit'] },
      connections: settings['pool-size'],
      ...createReports(log),
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
    // Printed immediately, because callers wait for the URL, not for the server to stop.
    const address = flags.json ? JSON.stringify({ url, port, metricsUrl, lab }) : url;
    await this.streams.writeOut(`${address}\n`);
    log.event('info', 'listening', { url, metricsUrl, database: engine.databaseName, pid: process.pid });
    if (lab !== undefined) await this.note(`lab: seed ${lab.seed}`);
    await this.advise('Press Ctrl-C to stop. Create a key with `partner engine keys create`.');
    await this.advise(dashboardNote(url));
    const open = findExposure(url, metricsUrl);
    if (open !== undefined) log.event('warn', open.message, open.facts);
    await this.untilInterrupted();
    log.event('info', 'stopping', { delayMs: settings['stop-delay'], timeoutMs: settings['stop-timeout'] });
    await this.advise('Stopping after requests in flight finish. Press Ctrl-C again to stop immediately.');
    await server.close({ delayMs: settings['stop-delay'] });
    log.event('info', 'stopped');
    const injected = server.injected();
    if (injected !== undefined) await this.note(formatInjected(injected));
    return { json: undefined, text: () => '' };
  }

  /** Logs JSON if stderr isn't a terminal or a level is set. Later notes then go to this log. */
  private async openLog(level: LogLevel | undefined): Promise<ServerLog> {
    if (level === undefined && this.streams.stderrIsTerminal) return logOfNotes((lines) => this.note(lines));
    const { openServerLog } = await import('../../cli/connection/bundled-engine.ts');
    this.#lines = await openServerLog(level ?? 'info');
    this.toClose.push(this.#lines.close);
    return this.#lines;
  }

  private async advise(said: string): Promise<void> {
    if (this.#lines === undefined) await super.note(said);
  }

  protected override async note(said: string | readonly string[]): Promise<void> {
    if (this.#lines === undefined) return super.note(said);
    if (!this.globals.quiet) for (const line of [said].flat()) this.#lines.event('info', line);
  }
}
