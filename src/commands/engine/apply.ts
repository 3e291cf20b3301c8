import { randomInt } from 'node:crypto';
import { showApplyProgress } from '../../bulk/view/apply-progress.ts';
import type { Outcome } from '../../cli/base-command.ts';
import { EngineCommand } from '../../cli/engine-command.ts';
import { jobIdArg, optionalArg, SEEDS } from '../../cli/flags/flag-values.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { MadeUpPlan } from '../../engine/applications/made-up.ts';
import { applicantFlags, applicationGiven, givenFlags } from './applicant.ts';
import { deliveredMany, deliveredOne } from './delivered-view.ts';

export default class EngineApply extends EngineCommand {
  static override summary = 'Apply to a job of the bundled engine, as one candidate or as many';
  static override description =
    'The candidate comes from a file (- is stdin), from flags, or from both, where a flag wins; in the file, paths are relative to it, and questions and qualifications may be named by their texts. --count makes applicants up. Each is delivered, and charged for where it is qualified and fits into every cap (docs/candidates.md).';
  static override examples = [
    'partner engine apply 12 applicant.json',
    'partner engine apply 12 applicant.json --email ada@example.com --meets none',
    'partner engine apply 12 --first-name Ada --last-name Byron --email ada@example.com --phone "+1 512 555 0100" --location "Austin, TX" --resume cv.txt --answer "Which license do you hold?=A" --answer "Years since you were licensed=4" --meets all',
    {
      description: 'A hundred made-up applicants, of whom 70 are qualified',
      command: 'partner engine apply 12 --count 100 --qualified 0.7 --seed 7',
    },
  ];
  static override args = {
    job: jobIdArg,
    file: optionalArg('JSON file with one applicant (- for stdin)'),
  };
  static override flags = applicantFlags;

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(EngineApply);
    const { job: id, file } = args;
    const { count, qualified = 1, seed = randomInt(SEEDS), ...applicant } = flags;
    if (count !== undefined) {
      if (file === undefined) return this.applyMany(id, { count, qualifiedShare: qualified, seed });
      throw new PartnerError('USAGE', {
        message: `the file ${file} goes without --count`,
        hint: 'either one applicant is given, or many are made up',
      });
    }
    if (file === undefined && !Object.keys(givenFlags).some((name) => name in applicant)) {
      throw new PartnerError('INPUT_REQUIRED', {
        message: 'no applicant is given',
        hint: 'give a file, flags such as --first-name and --resume, or --count 100 for made-up applicants',
      });
    }
    const { applications } = (await this.engine()).operator;
    const asks = await applications.asks(id);
    const { streams } = this;
    const application = await applicationGiven(file, applicant, asks, applications.putFile, streams);
    const received = await applications.apply(id, application);
    return { json: received, text: () => deliveredOne(received, asks, this.view) };
  }

  private async applyMany(id: number, plan: Pick<MadeUpPlan, 'count' | 'qualifiedShare' | 'seed'>) {
    const { applications } = (await this.engine()).operator;
    const { title } = await applications.asks(id);
    const { monotonicNow, interrupted: signal } = this.context;
    const progress = showApplyProgress(this.streams, { monotonicNow, isQuiet: this.globals.quiet });
    const counts = { total: plan.count, failed: 0, startedAt: monotonicNow() };
    const onProgress = (done: number) => progress.update({ ...counts, done });
    const sums = await applications
      .applyMany(id, plan, { signal, onProgress })
      .finally(() => progress.stop());
    const tally = { ...sums, seed: plan.seed };
    return { json: tally, text: () => deliveredMany(tally, { title }, this.view) };
  }
}
