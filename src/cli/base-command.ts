import type { Interfaces } from '@oclif/core';
import { Command } from '@oclif/core/command';
import { Config } from '@oclif/core/config';
import type { TraceEvent } from '../client/client.ts';
import { PartnerError } from '../contract/errors.ts';
import { findFlag } from '../listings/flag-values.ts';
import { PACKAGE_ROOT } from '../package.ts';
import type { Places } from '../places/place-names.ts';
import { withoutPassword } from '../text/outside-text.ts';
import { findConfirmation } from './confirmation.ts';
import type { CallFlags, Connection, ConnectionOptions } from './connection/connect.ts';
import { explainFailure, usageError, valueTooMany } from './failure.ts';
import { inGroup, switchFlag, textFlag } from './flags/flag-values.ts';
import type { serverFlags } from './flags/server-flags.ts';
import { durationSetting } from './settings/server-settings.ts';
import type { Target } from './settings/target.ts';
import { applyStreamFlags, type CliContext, type Verbatim, writeParts } from './terminal/streams.ts';
import { jsonParts, say, shellWord, toView, type View } from './terminal/view.ts';

export interface Outcome {
  /** Output of `--json`: one document. It can be `{ items }` with an async iterable. */
  readonly json: unknown;
  readonly text: () => string | Uint8Array | Promise<string> | AsyncIterable<string>;
  readonly hint?: string | readonly string[] | undefined;
  readonly verbatim?: Verbatim | undefined;
  readonly exit?: number | undefined;
}

export type GlobalFlags = Interfaces.InferredFlags<typeof PartnerCommand.baseFlags>;

export abstract class PartnerCommand extends Command {
  static override baseFlags = inGroup('GLOBAL', {
    json: switchFlag('Print only a single JSON document on stdout'),
    profile: textFlag('NAME', 'Profile to use instead of the current one', {
      shown: { env: 'PARTNER_PROFILE' },
    }),
    'base-url': textFlag('URL', 'Base URL of the API, including the version segment', {
      shown: { env: 'PARTNER_BASE_URL' },
    }),
    local: switchFlag('Use the bundled engine instead of a server'),
    'allow-insecure': switchFlag('Allow sending the key to another machine over plain HTTP'),
    timeout: textFlag('TIME', 'Maximum time per request, including retries (such as 500ms or 2m)', {
      shown: { default: '30s', env: 'PARTNER_TIMEOUT' },
    }),
    'no-input': switchFlag('Never prompt for input'),
    quiet: switchFlag('Print only results, without hints or progress', { char: 'q' }),
    // Declared only for help and completion. The CLI handles `--help` before it loads a command.
    help: switchFlag('Show help and examples for this command', { char: 'h' }),
    debug: switchFlag('Log HTTP requests and responses to stderr, with the key masked'),
  });

  protected globals: Partial<GlobalFlags> = {};
  private connection: Connection | undefined;
  protected now: (() => number) | undefined;
  protected readonly toClose: (() => Promise<void>)[] = [];

  constructor(
    argv: string[],
    config: Config,
    protected readonly context: CliContext,
  ) {
    super(argv, config);
  }

  protected abstract perform(): Promise<Outcome>;

  static async start(name: string, argv: string[], context: CliContext): Promise<number> {
    // biome-ignore lint/complexity/noThisInStatic: the subclass that is called, not this class
    const Concrete = this as unknown as ConcreteCommand;
    Concrete.id = name.replaceAll(' ', ':');
    return (await new Concrete(argv, createConfig(), context)._run()) as number;
  }

  override async run(): Promise<number> {
    try {
      const outcome = await this.perform();
      await this.show(outcome);
      return outcome.exit ?? 0;
    } catch (error) {
      const explained = explainFailure(error, this.connection);
      await this.handleFailure(explained);
      throw explained;
    } finally {
      for (const close of this.toClose.reverse()) await close();
    }
  }

  /** Called with the error of `run` before connections are closed. Must not throw. */
  protected async handleFailure(_error: unknown): Promise<void> {}

  /** Prevents oclif from printing the error and setting its own exit code. */
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
      // oclif only reads a class's own static properties, and some are inherited.
      const { args, flags, baseFlags, strict } = options ?? {};
      const parsed = await super.parse({ args, flags, baseFlags, strict } as typeof options, argv);
      this.globals = parsed.flags as Partial<GlobalFlags>;
      // oclif's own `argv` reorders arguments that occur twice.
      return { ...parsed, argv: parsed.raw.flatMap(({ type, input }) => (type === 'arg' ? [input] : [])) };
    } catch (error) {
      throw usageError(error, this.ctor);
    }
  }

  protected async connect(how?: ConnectionOptions): Promise<Connection> {
    if (this.connection === undefined) {
      const { connectToTarget } = await import('./connection/connect.ts');
      this.connection = await connectToTarget(this.callFlags(), this.context, how);
      this.toClose.push(this.connection.close);
      this.now = this.connection.now;
      const { profile, baseUrl, local } = this.callFlags();
      if (profile && !baseUrl && !local && this.context.env.PARTNER_BASE_URL)
        await this.note(`Using --profile ${profile} instead of PARTNER_BASE_URL.`);
    }
    return this.connection;
  }

  protected async target(): Promise<Target> {
    const { loadTarget } = await import('./connection/connect.ts');
    return loadTarget(this.callFlags(), this.context);
  }

  protected async openConnection(target: Target, onTrace?: (event: TraceEvent) => void): Promise<Connection> {
    const { openConnection } = await import('./connection/connect.ts');
    const connection = await openConnection(target, this.callFlags(), this.context, {
      access: 'read',
      onTrace,
    });
    this.toClose.push(connection.close);
    return connection;
  }

  protected async openPlaceIndex(): Promise<Places> {
    const { openBundledPlaces } = await import('./connection/bundled-engine.ts');
    const places = await openBundledPlaces();
    this.toClose.push(async () => places.close());
    return places;
  }

  protected get streams() {
    return applyStreamFlags(this.context.streams, this.globals);
  }

  protected get view(): View {
    return toView(this.streams, (this.now ?? this.context.clock)(), findFlag);
  }

  protected async note(said: string | readonly string[], quiet = this.globals.quiet): Promise<void> {
    if (!quiet) await say(this.streams, undefined, said);
  }

  /** Throws INPUT_REQUIRED if prompts aren't possible, and INTERRUPTED if the user declines. */
  protected async mustConfirm(question: string, flag: string): Promise<void> {
    const { confirm } = await import('./terminal/ask.ts');
    if (!(await confirm(this.streams, question, flag))) {
      throw new PartnerError('INTERRUPTED', { message: 'canceled. Nothing was changed' });
    }
  }

  /**
   * Confirms a change that spends money or is permanent, unless `yes`. `describe` returns '' if there is nothing to
   * confirm. `fromArguments` describes a change that is confirmed by default, without reading it from the server. Throws
   * the errors of `mustConfirm`.
   */
  protected async confirmChange(yes: boolean, describe: Describe, fromArguments?: Describe) {
    const { isNeeded, reason } = findConfirmation(this.context.env, fromArguments !== undefined);
    if (yes || !isNeeded) return;
    const isRead = reason !== undefined || this.streams.canAsk;
    const act = await (isRead ? describe() : fromArguments?.());
    if (!act) return;
    const question = `${act.charAt(0).toUpperCase()}${act.slice(1)}?`;
    if (reason === undefined || this.streams.canAsk) return this.mustConfirm(question, '--yes');
    const words = ['partner', ...String(this.id).split(':'), '--yes', ...this.argv.map(shellWord)];
    throw new PartnerError('INPUT_REQUIRED', {
      message: `confirmation is required to ${act}, because ${reason}. Nothing was changed`,
      hint: `if the user agrees, run \`${withoutPassword(words.join(' '))}\``,
    });
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

type Describe = () => string | Promise<string>;

type ServerFlags = { readonly [flag in keyof typeof serverFlags]?: string };

type ConcreteCommand = { id: string } & (new (
  argv: string[],
  config: Config,
  context: CliContext,
) => { _run(): Promise<unknown> });

/** Returns oclif's configuration without plugins and hooks, because the bundle contains all commands. */
function createConfig(): Config {
  const runHook = async () => ({ successes: [], failures: [] });
  return Object.assign(new Config({ root: PACKAGE_ROOT }), { runHook });
}
