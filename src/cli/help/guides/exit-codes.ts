import { ERRORS } from '../../../contract/errors.ts';
import { EXIT_MEANINGS } from '../../../contract/exit-codes.ts';
import type { Guide, GuideEntry } from '../guide-view.ts';

/** Every exit code with the errors that end in it, out of the error table. */
export function exitCodes(): Guide {
  return {
    topic: 'exit-codes',
    about:
      'A command ends with one of these codes, the same with --json and without. Behind a code stand the errors that end in it; a script can tell them apart by `error.code` of the JSON.',
    sections: [
      { heading: 'EXIT CODES', entries: Object.entries(EXIT_MEANINGS).map(exitCode) },
      {
        heading: 'IN A SCRIPT',
        lines: [
          'partner jobs publish 12 --json > job.json',
          'case $? in',
          '  0) echo "it is live" ;;',
          '  3) jq -r ".error.fields" job.json ;;',
          '  5) echo "terms or card: a person" ;;',
          '  8) echo "try again later" ;;',
          'esac',
        ],
      },
      {
        heading: 'WORTH KNOWING',
        text: '`--ensure` takes "already there" as success: publishing what is live is 0, not 6. `partner jobs plan --exit-code` is 0 where nothing is to be done and 10 where something is. A reader of stdout that goes away (`| head -1`) is no error.',
      },
    ],
  };
}

function exitCode([exit, about]: [exit: string, about: string]): GuideEntry {
  const more = Object.entries(ERRORS).flatMap(([code, row]) => (row.exit === Number(exit) ? [code] : []));
  return { name: exit, about, more };
}
