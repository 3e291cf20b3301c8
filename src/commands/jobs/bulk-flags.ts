import type { Interfaces } from '@oclif/core';
import * as Flags from '@oclif/core/flags';
import type { BulkRequest } from '../../bulk/session.ts';
import {
  choiceFlag,
  durationFlag,
  jobIdFlag,
  numberFlag,
  optionalArg,
  repeatableFlag,
  textFlag,
} from '../../cli/flags/flag-values.ts';
import { serverFlags } from '../../cli/flags/server-flags.ts';
import { stateIn } from '../../cli/settings/target.ts';
import type { CliContext } from '../../cli/terminal/streams.ts';
import { PartnerError } from '../../contract/errors.ts';
import { fileFlags, readOptions } from './file-flags.ts';
import { noCheckFlag } from './job-flags.ts';
import { spendFlags, spendRules } from './spending.ts';

export const bulkArgs = {
  path: optionalArg('Files, directories and globs; - reads stdin'),
};

/** A saved plan has these of its own. */
const planFlags = {
  ...fileFlags,
  publish: Flags.boolean({ description: 'Every listing is to be live, not only those that say `publish`' }),
  ...noCheckFlag,
  prune: Flags.boolean({ description: 'Close the jobs of listings that are no longer in the paths' }),
  overwrite: Flags.boolean({ description: 'Undo edits that were made on the server since the last apply' }),
  repost: Flags.boolean({ description: 'Create a new job for each listing whose job expired' }),
  recreate: Flags.boolean({ description: 'Recreate jobs that were deleted on the server' }),
  state: textFlag('STATE', 'State file (default: .partner/state.json), git:BRANCH or postgres://…'),
  rebuild: Flags.boolean({ description: 'Rebuild a lost state by matching existing jobs' }),
  'create-anyway': Flags.boolean({ description: 'Create listings even if they may belong to existing jobs' }),
  replace: repeatableFlag('KEY', 'Let a published job become another opening; repeatable'),
  'keep-going': Flags.boolean({ description: 'Leave out listings that are invalid, and do the others' }),
  only: choiceFlag(['failed'])({ description: 'Only the listings that failed in the last apply' }),
} as const;

export const bulkFlags = {
  ...planFlags,
  ...spendFlags,
  concurrency: numberFlag({ max: 64, description: 'Calls at once (default 8)' }),
  rate: Flags.custom<number>({
    helpValue: 'N/s',
    description: 'At most so many calls a second, over all',
    parse: async (given, _, { name }) => rateFlag(`--${name}`, given),
  })(),
  'max-wait': durationFlag('Maximum time to wait while rate limited (default 2m)'),
  report: repeatableFlag(
    'FORMAT[=FILE]',
    'Also write a report (json=FILE, junit=FILE, markdown=FILE or github annotations, repeatable)',
  ),
  ...serverFlags,
} as const;

export const applyFlags = {
  plan: textFlag('FILE', 'Do a saved plan, if it is still true'),
  yes: Flags.boolean({ char: 'y', description: 'Do not ask before jobs go live or are closed' }),
  'no-lock': Flags.boolean({ description: 'Skip the state lock (only safe for one run at a time)' }),
  adopt: repeatableFlag('KEY=ID', 'Link an existing job to the listing KEY; repeatable'),
  ignore: jobIdFlag({
    multiple: true,
    multipleNonGreedy: true,
    description: "Remember that job ID isn't a duplicate; repeatable",
  }),
  resend: repeatableFlag('KEY', 'Retry the create of the listing KEY if its result is unknown; repeatable'),
} as const;

export type BulkFlags = Interfaces.InferredFlags<typeof bulkFlags>;

export function bulkRequest(
  paths: readonly string[],
  flags: BulkFlags,
  { env, interrupted }: CliContext,
): BulkRequest {
  return {
    paths,
    cwd: process.cwd(),
    reading: readOptions(flags),
    publish: flags.publish === true,
    plan: {
      prune: flags.prune === true,
      overwrite: flags.overwrite === true,
      repost: flags.repost === true,
      recreate: flags.recreate === true,
      createAnyway: flags['create-anyway'] === true,
      replace: flags.replace ?? [],
    },
    ...stateIn(flags.state, env),
    rebuild: flags.rebuild === true,
    noCheck: flags['no-check'] === true,
    keepGoing: flags['keep-going'] === true,
    onlyFailed: flags.only === 'failed',
    concurrency: flags.concurrency ?? 8,
    spending: spendRules(flags, env),
    interrupted,
  };
}

/** Those of the given flags that a saved plan has of its own, as they are typed. */
export function flagsOfPlan(flags: BulkFlags): string[] {
  const names = Object.keys(planFlags) as (keyof typeof planFlags)[];
  return names.filter((name) => flags[name] !== undefined).map((name) => `--${name}`);
}

/** `20/s`, `0.5/s` or `20`: so many a second. Throws USAGE. */
export function rateFlag(flag: string, given: string): number {
  const [, digits] = /^(\d+(?:\.\d+)?)(?:\/s)?$/.exec(given.trim()) ?? [];
  const perSecond = Number(digits);
  if (perSecond > 0) return perSecond;
  throw new PartnerError('USAGE', {
    message: `${flag} takes so many a second, not \`${given}\``,
    hint: `write it like \`${flag} 20/s\``,
  });
}

/** `KEY=ID` pairs: a listing's key and the job that it became. Throws USAGE. */
export function adoptions(given: readonly string[] = []): ReadonlyMap<string, number> {
  return new Map(
    given.map((pair) => {
      const [, key = '', id = ''] = /^(.+)=(\d+)$/s.exec(pair) ?? [];
      const jobId = Number(id);
      if (key !== '' && Number.isSafeInteger(jobId) && jobId > 0) return [key, jobId];
      throw new PartnerError('USAGE', {
        message: `--adopt takes a listing's key and a job's id, not \`${pair}\``,
        hint: 'write it like `--adopt nurse.json=12`; `partner jobs plan` shows the keys',
      });
    }),
  );
}

/** A command line to be typed again, without what settles single creates: that is done once. */
export function withoutSettling(argv: readonly string[]): string[] {
  const isSettling = (word = ''): boolean => ['--adopt', '--ignore', '--resend'].includes(word);
  return argv.filter(
    (word, at) => !/^--(?:adopt|ignore|resend)(?:=|$)/.test(word) && !isSettling(argv[at - 1]),
  );
}
