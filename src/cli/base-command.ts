import type { Interfaces } from '@oclif/core';
import { Command } from '@oclif/core/command';
import type { Config } from '@oclif/core/config';
import * as Flags from '@oclif/core/flags';
import type { ServerJob, TraceEvent } from '../client/client.ts';
import { PartnerError } from '../contract/errors.ts';
import type { JobInput, JobUpdate } from '../contract/job.ts';
import type { Places } from '../contract/place-names.ts';
import { flagFor } from '../listings/flag-values.ts';
import type { CallFlags, Connection, ConnectionOptions } from './connection/connect.ts';
import { explainedFor } from './failure.ts';
import type { serverFlags } from './flags/server-flags.ts';
import { durationSetting } from './settings/server-settings.ts';
import type { Target } from './settings/target.ts';
import { jsonParts } from './terminal/json.ts';
import { type CliContext, type Streams, streamsFor, type Verbatim, writeParts } from './terminal/streams.ts';
import { clean, type View, viewOf } from './terminal/view.ts';
import { wrap } from './terminal/width.ts';
import { usageError, valueTooMany } from './usage.ts';

export interface Outcome {
  /** What `--json` prints: one document. A list may be `{ items }` with items that are still to come. */
  readonly json: unknown;
  readonly text: () => string | Uint8Array | Promise<string> | AsyncIterable<string>;
  /** What to do next, a line each, on stderr after the result, unless `--quiet` or `--json`. */
  readonly hint?: string | readonly string[] | undefined;
  readonly verbatim?: Verbatim | undefined;
  readonly exit?: number | undefined;
}

const helpGroup = 'GLOBAL';
const yes = (description: string, short: { char?: 'q' | 'h' } = {}) =>
  Flags.boolean({ helpGroup, description, ...short });
const text = (helpValue: string, description: string) => Flags.string({ helpGroup, helpValue, description });

export type GlobalFlags = Interfaces.InferredFlags<typeof PartnerCommand.baseFlags>;

/** parse → connect → show. What becomes of an error is decided in `failure.ts`. */
export abstract class PartnerCommand extends Command {
  static override baseFlags = {
    json: yes('Print one JSON document on stdout, nothing else there'),
    profile: text('NAME', 'Use this profile, not the current one'),
    'base-url': text('URL', "The API's root, version segment included"),
    local: yes('Use the bundled engine, not a server'),
    'allow-insecure': yes('Let the key go over plain http to another machine'),
    timeout: text('TIME', 'The longest a call may take: 500ms, 30s (default), 2m'),
    'no-input': yes('Never ask a question'),
    quiet: yes('Results only: no hints, no progress', { char: 'q' }),
    // Handled before a command is loaded; named here for help and completion.
    help: yes('Show what the command takes, with examples', { char: 'h' }),
    debug: yes('Trace requests and answers on stderr, the key masked'),
  };

  /** The flags that every command takes; set once the command line is parsed. */
  protected globals: Partial<GlobalFlags> = {};
  private connection: Connection | undefined;
  /** The engine's clock, when one is open; it may be ahead of the machine's. */
  protected now: (() => number) | undefined;
  /** Called once the command has ended, also after an error. */
  protected readonly toClose: (() => Promise<void>)[] = [];

  constructor(
    argv: string[],
    config: Config,
    protected readonly context: CliContext,
  ) {
    super(argv, config);
  }

  protected abstract perform(): Promise<Outcome>;

  /** Runs a command line that names this command; gives the exit code, throws what `showFailure` shows. */
  static async start(name: string, argv: string[], config: Config, context: CliContext): Promise<number> {
    // biome-ignore lint/complexity/noThisInStatic: the subclass that is called, not this class
    const Concrete = this as unknown as ConcreteCommand;
    Concrete.id = name.replaceAll(' ', ':');
    return (await new Concrete(argv, config, context)._run()) as number;
  }

  override async run(): Promise<number> {
    try {
      const outcome = await this.perform();
      await this.show(outcome);
      return outcome.exit ?? 0;
    } catch (error) {
      const explained = explainedFor(error, this.connection);
      await this.failed(explained);
      throw explained;
    } finally {
      for (const close of this.toClose.reverse()) await close();
    }
  }

  /** Called with what `run` throws, before connections are closed. Must not throw. */
  protected async failed(_error: unknown): Promise<void> {}

  /** oclif would print the error and set an exit code of its own. */
  override async catch(error: Error): Promise<never> {
    throw error;
  }

  protected override async parse<F extends FlagValues, B extends FlagValues, A extends ArgValues>(
    options?: Interfaces.Input<F, B, A>,
    argv?: string[],
  ): Promise<Interfaces.ParserOutput<F, B, A>> {
    try {
      const wrong = valueTooMany(this.argv, this.ctor);
      if (wrong !== undefined) throw wrong;
      // oclif takes a class's own statics only, and some are inherited.
      const { args, flags, baseFlags, strict } = options ?? {};
      const parsed = await super.parse({ args, flags, baseFlags, strict } as typeof options, argv);
      this.globals = parsed.flags as Partial<GlobalFlags>;
      // oclif's own list moves a word that is given twice.
      return { ...parsed, argv: parsed.raw.flatMap(({ type, input }) => (type === 'arg' ? [input] : [])) };
    } catch (error) {
      throw usageError(error, this.ctor);
    }
  }

  protected async connect(how?: ConnectionOptions): Promise<Connection> {
    if (this.connection === undefined) {
      const { connect } = await import('./connection/connect.ts');
      this.connection = await connect(this.callFlags(), this.context, how);
      this.toClose.push(this.connection.close);
      this.now = this.connection.now;
      const { profile, baseUrl, local } = this.callFlags();
      if (profile && !baseUrl && !local && this.context.env.PARTNER_BASE_URL)
        await this.note(`--profile ${profile} is used, not PARTNER_BASE_URL`);
    }
    return this.connection;
  }

  protected async target(): Promise<Target> {
    const { targetOf } = await import('./connection/connect.ts');
    return targetOf(this.callFlags(), this.context);
  }

  /** A read-only client for another target. `onTrace` gets each step of each call. */
  protected async connectTo(target: Target, onTrace?: (event: TraceEvent) => void): Promise<Connection> {
    const { connectTo } = await import('./connection/connect.ts');
    const connection = await connectTo(target, this.callFlags(), this.context, { access: 'read', onTrace });
    this.toClose.push(connection.close);
    return connection;
  }

  protected async bundledPlaces(): Promise<Places> {
    const { openBundledPlaces } = await import('./connection/bundled-engine.ts');
    const places = await openBundledPlaces();
    this.toClose.push(async () => places.close());
    return places;
  }

  protected get streams(): Streams {
    const { json, quiet, 'no-input': noInput } = this.globals;
    return streamsFor(this.context.streams, { json, quiet, noInput });
  }

  protected get view(): View {
    return viewOf(this.streams, (this.now ?? this.context.clock)(), flagFor);
  }

  protected async create(input: JobInput, idempotencyKey?: string): Promise<ServerJob> {
    const { createdJob } = await import('./created-job.ts');
    const { resend } = this.globals as { readonly resend?: boolean };
    const warn = (text: string): Promise<void> => this.note(text, false);
    const options = { now: this.context.clock(), warn, resend };
    return createdJob(await this.connect(), input, idempotencyKey, options);
  }

  protected async warnUnlessAsSent(sent: JobUpdate, job: ServerJob): Promise<void> {
    const { differenceWarnings } = await import('./created-job.ts');
    const { differencesFrom } = await import('../contract/entries.ts');
    await this.note(differenceWarnings(differencesFrom(sent, job), job), false);
  }

  /** Writes lines that are no result to stderr, unless --quiet. */
  protected async note(said: string | readonly string[], quiet = this.globals.quiet): Promise<void> {
    const { columnsErr } = this.streams;
    const lines = [said].flat().flatMap((line) => wrap(clean(line), columnsErr));
    if (!quiet && lines.length > 0) await this.streams.writeErr(`${lines.join('\n')}\n`);
  }

  /** Throws INPUT_REQUIRED where nobody can be asked, INTERRUPTED for a no. */
  protected async mustConfirm(question: string, flag: string): Promise<void> {
    const { confirm } = await import('./terminal/ask.ts');
    if (!(await confirm(this.streams, question, flag))) {
      throw new PartnerError('INTERRUPTED', { message: 'cancelled: nothing was changed' });
    }
  }

  protected async wait(waitMs: number): Promise<void> {
    const { setTimeout } = await import('node:timers/promises');
    await setTimeout(waitMs, undefined, { signal: this.context.interrupted }).catch(() => {
      throw new PartnerError('INTERRUPTED');
    });
  }

  protected untilInterrupted(): Promise<void> {
    const { interrupted } = this.context;
    if (interrupted.aborted) return Promise.resolve();
    return new Promise((resolve) => interrupted.addEventListener('abort', () => resolve(), { once: true }));
  }

  private async show({ json, text, hint, verbatim }: Outcome): Promise<void> {
    if (json !== undefined || !this.globals.json) {
      const shown = this.globals.json ? jsonParts(json) : await text();
      const isWhole = typeof shown === 'string' || shown instanceof Uint8Array;
      await writeParts(this.streams, isWhole ? [shown] : shown, verbatim);
    }
    if (hint !== undefined && !this.globals.json) await this.note(hint);
  }

  protected callFlags(): CallFlags {
    const { profile, 'base-url': baseUrl, timeout } = this.globals;
    const { 'location-query-parameter': locationQueryParameter, limits } = this.globals as ServerFlags;
    const { local, 'allow-insecure': allowInsecure, debug = false, quiet, json } = this.globals;
    const timeoutMs = timeout === undefined ? undefined : durationSetting('--timeout', timeout);
    const target = { profile, baseUrl, local, allowInsecure, locationQueryParameter, limits };
    return { ...target, timeoutMs, debug, quiet: quiet || json || false };
  }
}

// biome-ignore lint/suspicious/noExplicitAny: oclif's own signature
type FlagValues = Interfaces.OutputFlags<any>;
// biome-ignore lint/suspicious/noExplicitAny: oclif's own signature
type ArgValues = Interfaces.OutputArgs<any>;

type ServerFlags = { readonly [flag in keyof typeof serverFlags]?: string };

type ConcreteCommand = { id: string } & (new (
  argv: string[],
  config: Config,
  context: CliContext,
) => { _run(): Promise<unknown> });
