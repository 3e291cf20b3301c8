import type { Outcome } from '../../../cli/base-command.ts';
import { EngineCommand, termsText } from '../../../cli/engine-command.ts';

export default class TermsShow extends EngineCommand {
  static override summary = "Show the bundled engine's current employer terms";
  static override examples = [
    'partner engine terms show',
    "partner engine terms show --json | jq -r '.version'",
  ];

  protected override async perform(): Promise<Outcome> {
    await this.parse(TermsShow);
    const { operator } = await this.engine({ access: 'read' });
    const terms = await operator.terms.current();
    return { json: terms, text: () => termsText(terms, this.view) };
  }
}
