import * as Flags from '@oclif/core/flags';
import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { requiredArg } from '../../cli/flags/flag-values.ts';
import { showProgress } from '../../cli/terminal/progress.ts';
import { paragraph } from '../../cli/terminal/view.ts';
import { PartnerError } from '../../contract/errors.ts';
import { checkFiles } from '../../listings/check/check-files.ts';
import { renderFindings, reportValue } from '../../listings/check/formats/render.ts';
import { expandPaths } from '../../listings/read/paths.ts';
import { checkedFileFlags } from './file-flags.ts';
import { spendFlags, spendRules } from './spending.ts';

export default class JobsValidate extends PartnerCommand {
  static override summary = 'Check job files without calling a server';
  static override description =
    'Checks types, values, limits, places and completeness, and shows every problem with its file, line and column. Exit 3 if there is one.';
  static override examples = [
    'partner jobs validate examples/jobs',
    {
      description: 'On a pull request',
      command: "partner jobs validate 'jobs/**/*.json' --format github",
    },
    {
      description: 'A listing that is not to go live yet',
      command: 'partner jobs validate draft.json --draft',
    },
  ];
  static override args = {
    path: requiredArg('Files, directories and globs; - reads stdin'),
  };
  static override strict = false;
  static override flags = {
    ...spendFlags,
    draft: Flags.boolean({ description: 'Do not check completeness' }),
    ...checkedFileFlags,
  };

  protected override async perform(): Promise<Outcome> {
    const { argv, flags } = await this.parse(JobsValidate);
    const paths = argv as string[];
    const { format = 'text' } = flags;
    const files = await expandPaths(paths, { format: flags['input-format'], sheet: flags.sheet });
    const spending = spendRules(flags, this.context.env);
    const places = await this.bundledPlaces();
    const checking = { draft: flags.draft, places, spending };
    const progress = showProgress(this.streams, 'checking the listings');
    const report = await checkFiles(files, this.streams, checking, (listings) =>
      progress.say(`checked ${listings.toLocaleString('en')} listings`),
    ).finally(() => progress.stop());
    const { paint } = this.view;
    const painted = {
      error: (text: string) => paint('red', text),
      warning: (text: string) => paint('yellow', text),
      faint: (text: string) => paint('dim', text),
    };
    return {
      json: reportValue(report),
      text: () => {
        const text = renderFindings(format, report, painted);
        return format === 'text' ? paragraph(text, this.view) : `${text}\n`;
      },
      verbatim: format === 'github' ? 'runner-commands' : undefined,
      exit: report.errors > 0 ? new PartnerError('VALIDATION_FAILED').exit : undefined,
    };
  }
}
