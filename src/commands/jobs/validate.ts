import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { createRequiredArg, switchFlag } from '../../cli/flags/flag-values.ts';
import { showProgress } from '../../cli/terminal/progress.ts';
import { PartnerError } from '../../contract/errors.ts';
import { checkFiles } from '../../listings/check/check-files.ts';
import { expandPaths } from '../../listings/read/paths.ts';
import { renderReport } from '../../reports/formats.ts';
import { checkJson } from '../../reports/json.ts';
import { NOTHING_KNOWN, type Run } from '../../reports/run.ts';
import { checkView } from '../../reports/text.ts';
import { spendFlags, spendRules } from './job-checks.ts';
import { checkedFileFlags } from './job-flags.ts';

export default class JobsValidate extends PartnerCommand {
  static override summary = 'Check job files without a server';
  static override description =
    'Checks types, values, limits, places and completeness. Prints every problem with its file, line and column. Exits 3 if there are problems.';
  static override examples = [
    'partner jobs validate examples/jobs',
    {
      description: 'Annotate a pull request',
      command: "partner jobs validate 'jobs/**/*.json' --format github",
    },
    {
      description: 'Check an incomplete draft',
      command: 'partner jobs validate draft.json --draft',
    },
  ];
  static override args = {
    path: createRequiredArg('Files, directories or globs (- reads stdin)'),
  };
  static override strict = false;
  static override flags = {
    ...spendFlags,
    draft: switchFlag('Skip the completeness check'),
    ...checkedFileFlags,
  };

  protected override async perform(): Promise<Outcome> {
    const { argv, flags } = await this.parse(JobsValidate);
    const paths = argv as string[];
    const { format } = flags;
    const files = await expandPaths(paths, { format: flags['input-format'], sheet: flags.sheet });
    const spending = spendRules(flags, this.context.env);
    const checking = { draft: flags.draft, places: await this.openPlaceIndex(), spending };
    const progress = showProgress(this.streams, 'Checking the listings');
    const found = await checkFiles(files, this.streams, checking, (listings) =>
      progress.say(`Checked ${listings.toLocaleString('en')} listings`),
    ).finally(() => progress.stop());
    const run: Run = { ...NOTHING_KNOWN, command: 'validate', found };
    return {
      json: checkJson(found),
      text: () => (format === 'text' ? checkView(found, this.view) : renderReport(format, run)),
      verbatim: format === 'github' ? 'runner-commands' : undefined,
      exit: found.errors > 0 ? new PartnerError('VALIDATION_FAILED').exit : undefined,
    };
  }
}
