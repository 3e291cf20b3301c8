import type { Outcome } from '../../cli/base-command.ts';
import { EngineCommand, termsText } from '../../cli/engine-command.ts';
import { createRequiredArg, optionalArg } from '../../cli/flags/flag-values.ts';
import { clean, successText } from '../../cli/terminal/view.ts';
import { readInput } from '../../listings/read/read.ts';

export class TermsShow extends EngineCommand {
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

export class TermsIssue extends EngineCommand {
  static override summary = 'Issue employer terms on the bundled engine';
  static override description =
    "Every company must accept the new version before it can publish again (AGREEMENT_OUTDATED, exit 5). Live jobs aren't affected.";
  static override examples = [
    'partner engine terms issue 2026-07',
    'partner engine terms issue 2026-07 terms.txt',
  ];
  static override args = {
    version: createRequiredArg('Version name (must be new)'),
    file: optionalArg('Text file (- reads stdin, the current text is used if omitted)'),
  };

  protected override async perform(): Promise<Outcome> {
    const { args } = await this.parse(TermsIssue);
    const given = args.file === undefined ? undefined : await readInput(args.file, this.streams);
    const { operator } = await this.engine();
    const text = given ?? (await operator.terms.current()).text;
    const terms = await operator.terms.issue({ version: args.version, text });
    const said = `Version ${clean(terms.version)} of the employer terms is now in force. Companies must accept it before they can publish`;
    return {
      json: terms,
      text: () => successText(said, this.view),
      hint: 'companies can accept it with `partner dashboard accept-terms` or in the dashboard',
    };
  }
}
