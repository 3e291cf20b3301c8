import { switchFlag, textFlag, wholeNumber } from '../../cli/flags/flag-values.ts';
import type { Environment } from '../../cli/settings/directories.ts';
import { createValueError } from '../../cli/settings/server-settings.ts';
import type { JobFields, ServerJob } from '../../client/server-job.ts';
import { PartnerError } from '../../contract/errors.ts';
import { completenessGaps } from '../../contract/gate.ts';
import { EMPTY_CONTENT, type JobContent, type JobInput, type JobUpdate } from '../../contract/job.ts';
import { isPublished } from '../../contract/lifecycle.ts';
import { fieldName, type Problem, toFields } from '../../contract/problems.ts';
import { withoutUndefined } from '../../contract/values.ts';
import { sentence } from '../../listings/check/finding.ts';
import { guardrails, type SpendRules } from '../../listings/check/guardrails.ts';
import { findFlag } from '../../listings/flag-values.ts';

const UNCHECKED = 'Skip this check with `--no-check`';

export function gapHint(id: number, fields: readonly string[]): string {
  const [flag = 'FILE'] = fields.flatMap((field) => findFlag(field) ?? []);
  return `set the missing fields with \`partner jobs update ${id} ${flag}\`, then run \`partner jobs publish ${id}\``;
}

/** Throws VALIDATION_FAILED with every missing field of a draft. Jobs in other states are checked by the server. */
export function assertPublishable(job: ServerJob): void {
  if (job.status !== 'DRAFT') return;
  assertNoGaps(job, `can't publish job ${job.id}: it is incomplete`, (fields) => gapHint(job.id, fields));
}

export function assertRepublishable(job: ServerJob): void {
  const message = `can't repost and publish job ${job.id}: it is incomplete. No job was created`;
  const hint = 'repost it without --publish, then set the missing fields in the new draft';
  assertNoGaps(job, message, () => hint);
}

/** A live job must stay complete (section 3, rule 3). */
export function assertStaysComplete(job: ServerJob, patch: JobUpdate): void {
  if (!isPublished(job.status)) return;
  const message = `can't update job ${job.id}: it is ${job.status} and must stay complete. Nothing was changed`;
  assertNoGaps({ ...job, ...patch }, message, () => 'add the missing fields to the same update');
}

function assertNoGaps(job: JobFields, message: string, hint: (fields: readonly string[]) => string): void {
  // Ignores fields that are missing in the response, because they may have a value on the server.
  const certain = listGaps(job).filter(({ path: [field] }) => job[field as keyof JobFields] !== undefined);
  const fields = toFields(certain);
  const names = Object.keys(fields);
  if (names.length === 0) return;
  throw new PartnerError('VALIDATION_FAILED', { message, fields, hint: `${hint(names)}. ${UNCHECKED}` });
}

export function listGaps(listing: JobFields): Problem[] {
  return completenessGaps(wholeContent(listing));
}

export function wholeContent(listing: JobFields): JobContent {
  return { ...EMPTY_CONTENT, ...withoutUndefined<object>(listing) };
}

export const spendFlags = {
  'max-bid-cents': textFlag('CENTS', 'Maximum bid, in cents (listings above it are rejected)', {
    shown: { env: 'PARTNER_MAX_BID_CENTS' },
  }),
  'require-budget': switchFlag('Require every published listing to have its own spend cap', {
    shown: { env: 'PARTNER_REQUIRE_BUDGET' },
  }),
} as const;

/** Flags override the environment. Throws USAGE for an invalid value. */
export function spendRules(flags: Readonly<Record<string, unknown>>, env: Environment): SpendRules {
  const flag = flags['max-bid-cents'] as string | undefined;
  const max = flag ?? env.PARTNER_MAX_BID_CENTS;
  const name = flag === undefined ? 'PARTNER_MAX_BID_CENTS' : '--max-bid-cents';
  return {
    maxBidCents: max === undefined ? undefined : wholeNumber(name, max, { min: 1 }),
    requireBudget: flags['require-budget'] === true || isEnabled('PARTNER_REQUIRE_BUDGET', env),
  };
}

/** Rejects an empty value, because a missing CI variable would otherwise silently disable the rule. */
function isEnabled(name: string, env: Environment): boolean {
  const given = env[name]?.trim().toLowerCase();
  if (given === undefined || /^(?:0|false|no)$/.test(given)) return false;
  if (/^(?:1|true|yes)$/.test(given)) return true;
  throw createValueError(name, 'true or false', given, `set ${name}=true, or unset it`);
}

/** Returns warnings about likely mistakes, and the values that the rules forbid. */
export function checkGuardrails({ publish: _, ...input }: JobInput, isLive: boolean, rules: SpendRules) {
  const found = guardrails(wholeContent(input), isLive, rules);
  return {
    warnings: found.map((problem) => sentence({ ...problem, field: fieldName(problem.path) })),
    forbidden: found.filter(({ rule }) => rule === 'spend-rule'),
  };
}

export function assertAllowed(patch: JobUpdate, rules: SpendRules): void {
  const { forbidden } = checkGuardrails(patch, patch.budgets !== undefined, rules);
  if (forbidden.length > 0) throw new PartnerError('VALIDATION_FAILED', { fields: toFields(forbidden) });
}
