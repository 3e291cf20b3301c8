import { randomInt } from 'node:crypto';
import type { Outcome } from '../../cli/base-command.ts';
import { EngineCommand } from '../../cli/engine-command.ts';
import { jobIdArg, optionalArg, SEEDS } from '../../cli/flags/flag-values.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { MadeUpPlan } from '../../engine/applications/made-up.ts';
import { showApplyProgress } from '../../reports/progress.ts';
import { applicantFlags, applicationGiven, givenFlags } from './applicant.ts';
import { renderDelivered, renderTally } from './delivered-view.ts';

export default class EngineApply extends EngineCommand {
  static override summary = 'Apply to a job on the bundled engine as a candidate';
  static override description =
    'Specify the applicant in a JSON file, flags or both. Flags override the file. Paths in the file are relative to the file. Questions and qualifications can be identified by their text. --count creates random applicants. A qualified applicant is charged if the bid fits into every cap (docs/candidates.md).';
  static override examples = [
    'partner engine apply 12 applicant.json',
    'partner engine apply 12 applicant.json --email ada@example.com --meets none',
    'partner engine apply 12 --first-name Ada --last-name Byron --email ada@example.com --phone "+1 512 555 0100" --location "Austin, TX" --resume cv.txt --answer "Which license do you hold?=A" --answer "Years since you were licensed=4" --meets all',
    {
      description: 'Create 100 random applicants, 70 of them qualified',
      command: 'partner engine apply 12 --count 100 --qualified 0.7 --seed 7',
    },
  ];
  static override args = {
    job: jobIdArg,
    file: optionalArg('JSON file with one applicant (- reads stdin)'),
  };
  static override flags = applicantFlags;

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(EngineApply);
    const { job: id, file } = args;
    const { count, qualified = 1, seed = randomInt(SEEDS), ...applicant } = flags;
    if (count !== undefined) {
      if (file === undefined) return this.applyMany(id, { count, qualifiedShare: qualified, seed });
      throw new PartnerError('USAGE', {
        message: `--count can't be combined with a file (${file})`,
        hint: 'pass a file for one applicant, or --count for generated applicants',
      });
    }
    if (file === undefined && !Object.keys(givenFlags).some((name) => name in applicant)) {
      throw new PartnerError('INPUT_REQUIRED', {
        message: 'no applicant specified',
        hint: 'pass a file, flags such as --first-name and --resume, or --count 100 for generated applicants',
      });
    }
    const { applications } = (await this.engine()).operator;
    const asks = await applications.asks(id);
    const application = await applicationGiven(file, applicant, asks, applications.putFile, this.streams);
    const received = await applications.apply(id, application);
    return { json: received, text: () => renderDelivered(received, asks, this.view) };
  }

  private async applyMany(id: number, plan: Pick<MadeUpPlan, 'count' | 'qualifiedShare' | 'seed'>) {
    const { applications } = (await this.engine()).operator;
    const { title } = await applications.asks(id);
    const { monotonicNow, interrupted: signal } = this.context;
    const progress = showApplyProgress(this.streams, { monotonicNow, isQuiet: this.globals.quiet });
    const counts = { total: plan.count, failed: 0, startedAt: monotonicNow() };
    const onProgress = (done: number) => progress.update({ ...counts, done });
    const sums = await applications.applyMany(id, plan, { signal, onProgress }).finally(progress.stop);
    const tally = { ...sums, seed: plan.seed };
    return { json: tally, text: () => renderTally(tally, { title }, this.view) };
  }
}
