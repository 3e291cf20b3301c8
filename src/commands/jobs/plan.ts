import * as Flags from '@oclif/core/flags';
import { liveCounts } from '../../bulk/apply/outcome.ts';
import { canApply } from '../../bulk/apply/resolve-pending.ts';
import { planSet } from '../../bulk/plan/plan-set.ts';
import { reclaimedEntries, withEntries } from '../../bulk/plan/rebuild.ts';
import { savePlan } from '../../bulk/plan/saved-plan.ts';
import { countNoted, planSentence } from '../../bulk/report/sentence.ts';
import { planJson } from '../../bulk/report/values.ts';
import { planView } from '../../bulk/view/plan.ts';
import type { Outcome } from '../../cli/base-command.ts';
import { textFlag } from '../../cli/flags/flag-values.ts';
import { shellWord } from '../../cli/terminal/view.ts';
import { EXIT } from '../../contract/errors.ts';
import { withoutPassword } from '../../contract/outside-text.ts';
import { BulkCommand } from './bulk-command.ts';
import { bulkArgs, bulkFlags } from './bulk-flags.ts';

export default class JobsPlan extends BulkCommand {
  static override summary = 'Show what has to be done so that the jobs are as the files say';
  static override description =
    'Compares the files with what was applied last and with the server, field by field; changes nothing. `jobs apply` does what is shown.';
  static override examples = [
    'partner jobs plan examples/jobs --publish',
    'partner jobs plan examples/jobs --publish --out plan.json',
    {
      description: 'Each night: did somebody edit the jobs by hand?',
      command: 'partner jobs plan examples/jobs --fail-on-drift',
    },
    {
      description: 'On a pull request, with annotations',
      command: 'partner jobs plan examples/jobs --publish --exit-code --report github',
    },
  ];
  static override args = bulkArgs;
  static override strict = false;
  static override flags = {
    ...bulkFlags,
    out: textFlag('FILE', 'Save the plan, for `jobs apply --plan FILE`'),
    'exit-code': Flags.boolean({ description: 'Exit 10 where there is something to do' }),
    'fail-on-drift': Flags.boolean({
      description: 'Exit 10 if jobs were edited, are not live (even if paused) or are duplicates',
    }),
  };
  protected override readonly verb = 'plan';

  protected override async perform(): Promise<Outcome> {
    const { argv, flags } = await this.parse(JobsPlan);
    const request = this.requested(argv as string[], flags);
    const { session } = await this.opened(request, flags, this.context.interrupted, flags.out);
    const reading = await this.checked(session);
    const { plan } = await this.working('asking the server', async () => {
      const { state, pending } = session.remembered;
      const found = await reclaimedEntries(session, reading, session.remembered);
      return planSet(session, reading, { state: withEntries(state, found), pending });
    });
    const { clock } = this.context;
    if (flags.out !== undefined) savePlan(flags.out, plan, request, session.server.baseUrl, clock());
    await this.report({ plan });
    const places = [...session.places.values()];
    const summary = planSentence(plan);
    const edited = flags['fail-on-drift'] ? countNoted(plan, 'EDITED_ON_SERVER', 'BOTH_CHANGED') : 0;
    const { notLive, paused } = liveCounts(plan);
    const duplicates = countNoted(plan, 'POSSIBLE_DUPLICATE');
    const isDrift = flags['fail-on-drift'] && edited + notLive + paused + duplicates > 0;
    const isToDo = flags['exit-code'] && plan.items.length + duplicates > 0;
    const next = canApply(plan, session) ? `do it with \`${applyCommand(flags.out, this.argv)}\`` : undefined;
    const outcome: Outcome = {
      json: planJson(plan, places, session),
      text: () => planView(plan, { summary, next, places }, this.view),
      exit: isToDo || isDrift ? EXIT.somethingToDo : undefined,
      hint:
        edited === 0
          ? undefined
          : `${edited === 1 ? '1 job was' : `${edited} jobs were`} edited on the server`,
    };
    return this.withSummary(outcome, summary);
  }
}

const PLAN_ONLY = ['--exit-code', '--fail-on-drift'];

function applyCommand(saved: string | undefined, argv: readonly string[]): string {
  if (saved !== undefined) return `partner jobs apply --plan ${shellWord(saved)}`;
  const words = argv.filter((word) => !PLAN_ONLY.includes(word)).map(shellWord);
  return withoutPassword(['partner jobs apply', ...words].join(' '));
}
