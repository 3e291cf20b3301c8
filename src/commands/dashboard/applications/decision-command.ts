import * as Args from '@oclif/core/args';
import { type Outcome, PartnerCommand } from '../../../cli/base-command.ts';
import { batchExit } from '../../../cli/batch.ts';
import type { LocalEngine } from '../../../cli/connection/bundled-engine.ts';
import { errorJson } from '../../../cli/error-view.ts';
import { companyFlag } from '../../../cli/flags/company-flag.ts';
import { applicationIds } from '../../../cli/flags/job-id.ts';
import { PartnerError } from '../../../contract/errors.ts';
import { type DecisionItem, decisionLines } from './application-table.ts';

/** The same decision on one application or several: accept and reject differ in this one word. */
export abstract class DecisionCommand extends PartnerCommand {
  static override strict = false;
  static override description =
    'What people do in the dashboard; the partner API cannot. It may be changed later, and saying it again changes nothing. What was charged stays charged.';
  static override args = {
    id: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'The application, or several of them: 41 42 43',
    }),
  };
  static override flags = companyFlag;

  protected abstract readonly decision: 'accepted' | 'rejected';

  protected override async perform(): Promise<Outcome> {
    const { argv, flags } = await this.parse(this.takes());
    const ids = applicationIds(argv as string[]);
    const engine = await this.engine();
    const companyId = await engine.companyId(flags.company);
    const [only] = ids;
    if (ids.length === 1 && only !== undefined) {
      const application = await engine.operator.dashboard.decide(companyId, only, this.decision);
      const items = [{ id: only, application }];
      return { json: application, text: () => decisionLines(this.decision, items, this.view) };
    }
    const items = await this.decidedAll(engine, companyId, ids);
    return {
      json: {
        items: items.map((item) => ('error' in item ? { id: item.id, ...errorJson(item.error) } : item)),
      },
      text: () => decisionLines(this.decision, items, this.view),
      exit: batchExit(items.map((item) => ('error' in item ? item.error : undefined))),
    };
  }

  /** oclif reads a class's own statics only, and these are inherited. */
  private takes() {
    const { args, flags, baseFlags } = this.ctor as unknown as typeof DecisionCommand;
    return { args, flags, baseFlags, strict: false };
  }

  private async decidedAll(
    { operator }: LocalEngine,
    companyId: string,
    ids: readonly number[],
  ): Promise<DecisionItem[]> {
    const items: DecisionItem[] = [];
    for (const id of ids) {
      try {
        items.push({ id, application: await operator.dashboard.decide(companyId, id, this.decision) });
      } catch (error) {
        if (!(error instanceof PartnerError)) throw error;
        items.push({ id, error });
      }
    }
    return items;
  }
}
