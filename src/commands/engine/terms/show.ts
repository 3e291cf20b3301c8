import { type Outcome, PartnerCommand } from '../../../cli/base-command.ts';
import { termsText } from '../../../cli/terms-view.ts';

export default class TermsShow extends PartnerCommand {
  static override summary = 'Show the employer terms that are in force on the bundled engine';
  static override examples = [
    'partner engine terms show',
    "partner engine terms show --json | jq -r '.version'",
  ];

  protected override async perform(): Promise<Outcome> {
    await this.parse(TermsShow);
    const { operator } = await this.engine();
    const terms = await operator.terms.current();
    return { json: terms, text: () => termsText(terms, this.view) };
  }
}
