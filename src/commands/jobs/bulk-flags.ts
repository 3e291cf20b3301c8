import type { Interfaces } from '@oclif/core';
import * as flag from '../../cli/flags/flag-values.ts';
import { serverFlags } from '../../cli/flags/server-flags.ts';
import { createValueError } from '../../cli/settings/server-settings.ts';
import { readStateSettings } from '../../cli/settings/target.ts';
import type { CliContext } from '../../cli/terminal/streams.ts';
import { shellWord } from '../../cli/terminal/view.ts';
import { withoutPassword } from '../../text/outside-text.ts';
import { spendFlags, spendRules } from './job-checks.ts';
import { fileFlags, noCheckFlag } from './job-flags.ts';

export const bulkArgs = {
  path: flag.optionalArg('Files, directories or globs (- reads stdin)'),
};

/** A saved plan includes these flags and `planInputFlags`, so `--plan` can't be combined with them. */
const planFlags = {
  publish: flag.switchFlag('Publish every listing, not only those with `publish: true`'),
  prune: flag.switchFlag('Close jobs whose listings were removed from the paths'),
  'keep-going': flag.switchFlag('Skip invalid listings and continue'),
  only: flag.choiceFlag(['failed'])({
    description: 'Limit the run to listings that failed in the last apply',
  }),
  ...flag.inGroup('REVIEW', {
    overwrite: flag.switchFlag('Overwrite changes made on the server'),
    repost: flag.switchFlag('Replace expired jobs with new ones'),
    recreate: flag.switchFlag('Recreate jobs that were deleted on the server'),
    'create-anyway': flag.switchFlag('Create listings even if they may belong to existing jobs'),
    replace: flag.repeatableFlag('KEY', 'Allow a listing to change its published job to a different opening'),
  }),
  ...flag.inGroup('STATE', {
    ...flag.stateFlags,
    rebuild: flag.switchFlag('Rebuild a lost state by matching existing jobs'),
  }),
} as const;

const planInputFlags = { ...noCheckFlag, ...fileFlags };

export const bulkFlags = {
  ...planFlags,
  ...flag.inGroup('REPORT', {
    report: flag.repeatableFlag(
      'FORMAT[=FILE]',
      'Write a report (json=FILE, junit=FILE, markdown=FILE, or github for annotations)',
    ),
  }),
  ...flag.inGroup('ADVANCED', {
    ...planInputFlags,
    ...spendFlags,
    concurrency: flag.numberFlag({
      max: 64,
      shown: { default: '8' },
      description: 'Maximum concurrent requests',
    }),
    rate: flag.createParsedFlag('N/s', parseRate)({ description: 'Maximum requests per second' }),
    'max-wait': flag.durationFlag({
      shown: { default: '2m' },
      description: 'Maximum time to wait while rate limited',
    }),
  }),
  ...serverFlags,
} as const;

export const applyFlags = {
  plan: flag.textFlag('FILE', 'Apply a saved plan'),
  yes: flag.switchFlag('Skip the prompt before publishing or closing jobs', { char: 'y' }),
  'no-lock': flag.switchFlag('Skip the state lock (only safe for one run at a time)', { hidden: true }),
  ...flag.inGroup('REVIEW', {
    adopt: flag.repeatableFlag('KEY=ID', 'Link an existing job to a listing'),
    ignore: flag.jobIdFlag({
      multiple: true,
      multipleNonGreedy: true,
      description: 'Mark a job as not a duplicate',
    }),
    resend: flag.repeatableFlag('KEY', 'Retry a create whose result is unknown'),
  }),
} as const;

export type BulkFlags = Interfaces.InferredFlags<typeof bulkFlags>;

export function bulkRequest(paths: readonly string[], flags: BulkFlags, { env, interrupted }: CliContext) {
  const { stateFlag, leaseMs } = readStateSettings(flags.state, env);
  return {
    paths,
    cwd: process.cwd(),
    reading: { format: flags.format, sheet: flags.sheet },
    publish: flags.publish === true,
    plan: {
      prune: flags.prune === true,
      overwrite: flags.overwrite === true,
      repost: flags.repost === true,
      recreate: flags.recreate === true,
      createAnyway: flags['create-anyway'] === true,
      replace: flags.replace ?? [],
    },
    stateFile: stateFlag,
    stateLeaseMs: leaseMs,
    rebuild: flags.rebuild === true,
    noCheck: flags['no-check'] === true,
    keepGoing: flags['keep-going'] === true,
    onlyFailed: flags.only === 'failed',
    concurrency: flags.concurrency ?? 8,
    spending: spendRules(flags, env),
    interrupted,
  };
}

export function flagsOfPlan(flags: BulkFlags): string[] {
  const names = Object.keys({ ...planInputFlags, ...planFlags }) as (keyof BulkFlags)[];
  return names.filter((name) => flags[name] !== undefined).map((name) => `--${name}`);
}

/** Parses `20/s`, `0.5/s` or `20` as requests per second. Throws USAGE. */
export function parseRate(given: string): number {
  const [, digits] = /^(\d+(?:\.\d+)?)(?:\/s)?$/.exec(given.trim()) ?? [];
  const perSecond = Number(digits);
  if (perSecond > 0) return perSecond;
  throw createValueError('--rate', 'a rate per second', given, 'for example: `--rate 20/s`');
}

export function adoptions(given: readonly string[] = []): ReadonlyMap<string, number> {
  return new Map(
    given.map((pair) => {
      const [, key = '', id = ''] = /^(.+)=(\d+)$/s.exec(pair) ?? [];
      const jobId = Number(id);
      if (key !== '' && Number.isSafeInteger(jobId) && jobId > 0) return [key, jobId];
      const hint = 'for example: `--adopt nurse.json=12`. `partner jobs plan` shows the keys';
      throw createValueError('--adopt', 'a listing key and a job ID', pair, hint);
    }),
  );
}

const APPLIES_ONCE = /^--(?:adopt|ignore|resend)(?:=|$)/;
const PLAN_ONLY = ['--exit-code', '--fail-on-drift'];

/** Formats the next apply command. Omits flags that only `jobs plan` has, and those that apply only once. */
export function formatApplyCommand(argv: readonly string[]): string {
  const isValue = (at: number): boolean => /^--(?:adopt|ignore|resend)$/.test(argv[at - 1] ?? '');
  const words = argv.filter(
    (word, at) => !APPLIES_ONCE.test(word) && !isValue(at) && !PLAN_ONLY.includes(word),
  );
  return withoutPassword(['partner jobs apply', ...words.map(shellWord)].join(' '));
}
