import type { Outcome } from '../../cli/base-command.ts';
import { EngineCommand } from '../../cli/engine-command.ts';
import { optionalArg, requiredArg } from '../../cli/flags/flag-values.ts';
import { clean, paragraph } from '../../cli/terminal/view.ts';
import { termsText } from '../../cli/terms-view.ts';
import { readInput } from '../../listings/read/read.ts';

export class TermsShow extends EngineCommand {
  static override summary = 'Show the employer terms that are in force on the bundled engine';
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

export class TermsIssue extends EngineCommand {
  static override summary = 'Issue a version of the employer terms on the bundled engine';
  static override description =
    'Every company has to accept it before it publishes again: until then AGREEMENT_OUTDATED, exit 5. What is live stays live.';
  static override examples = [
    'partner engine terms issue 2026-07',
    'partner engine terms issue 2026-07 terms.txt',
  ];
  static override args = {
    version: requiredArg('Version name (must be new)'),
    file: optionalArg('Text file (- for stdin, current text if omitted)'),
  };

  protected override async perform(): Promise<Outcome> {
    const { args } = await this.parse(TermsIssue);
    const given = args.file === undefined ? undefined : await readInput(args.file, this.streams);
    const { operator } = await this.engine();
    const text = given ?? (await operator.terms.current()).text;
    const terms = await operator.terms.issue({ version: args.version, text });
    const said = `Version ${clean(terms.version)} of the employer terms is in force: no company publishes before it has accepted it`;
    return {
      json: terms,
      text: () => paragraph(`${this.view.paint('green', '✓')} ${said}`, this.view),
      hint: 'companies accept it with `partner dashboard accept-terms`, or in the dashboard',
    };
  }
}
