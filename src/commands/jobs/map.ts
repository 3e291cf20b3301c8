import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { createRequiredArg, switchFlag } from '../../cli/flags/flag-values.ts';
import { type Column, table } from '../../cli/terminal/table.ts';
import { shellWord } from '../../cli/terminal/view.ts';
import { clipText } from '../../contract/problems.ts';
import { formatCount } from '../../contract/words.ts';
import { createDefaults } from '../../listings/defaults/defaults.ts';
import { writeMapping } from '../../listings/defaults/mapping.ts';
import type { MappedColumn } from '../../listings/defaults/propose-columns.ts';
import { proposeMapping } from '../../listings/defaults/propose-mapping.ts';
import { getHeader } from '../../listings/read/table/columns.ts';
import { normalise } from '../../places/place-names.ts';
import { joinTexts } from '../../text/words.ts';
import { askAboutColumns } from './ask-columns.ts';
import { fileFlags } from './job-flags.ts';

const COLUMNS: readonly Column<MappedColumn>[] = [
  { title: 'NAME', text: ({ name }) => name, shrinksTo: 12 },
  {
    title: 'FIELD',
    text: ({ field, doubt }) => (doubt === undefined ? field : `${field} (unclear)`),
    style: ({ field, doubt }) => (doubt !== undefined ? 'yellow' : field === 'ignore' ? 'dim' : undefined),
  },
  { title: 'EXAMPLE', text: ({ example }) => example, shrinksTo: 10, givesWay: 2 },
  { title: 'DOUBT', text: ({ doubt = '' }) => doubt, shrinksTo: 12, givesWay: 1 },
];

export default class JobsMap extends PartnerCommand {
  static override summary = "Map another system's field names to job fields";
  static override description =
    'Matches table columns, or fields in YAML, JSON and Markdown files, to job fields. In a terminal, asks about unclear names. Otherwise, ignores them. In tables, guesses unclear places and ignores other unreadable values, but never pay. Adds the mapping to the _defaults.yaml next to the file. Existing entries are kept.';
  static override examples = [
    'partner jobs map examples/tables/stellen.csv --dry-run',
    'partner jobs map examples/tables/stellen.csv --dry-run --json',
  ];
  static override args = { file: createRequiredArg('Table, YAML, JSON or Markdown file') };
  static override flags = {
    'dry-run': switchFlag('Preview the mapping without writing it'),
    ...fileFlags,
  };

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(JobsMap);
    const { file } = args;
    const isDry = flags['dry-run'] === true;
    const defaults = await createDefaults(this.streams, [file])(file);
    const reading = { format: flags.format, sheet: flags.sheet, mapping: defaults?.mapping };
    const places = await this.openPlaceIndex();
    const found = await proposeMapping(file, this.streams, reading, places);
    const isNew = ({ text }: { readonly text: string }) => !defaults?.places.has(normalise(text));
    const proposed = { ...found, unclear: found.unclear.filter(isNew) };
    const proposal = this.streams.canAsk ? await askAboutColumns(this.streams, proposed) : proposed;
    const { path, isNeeded, text } = await writeMapping(file, proposal, isDry);
    const missing = proposal.missing.filter((field) => !defaults?.sources.has(field));
    const isTable = proposal.part === 'columns';
    const wanted = isTable ? missing.map((field) => `"${getHeader(field)}"`) : missing;
    const doubtful = proposal.columns.filter(({ field, doubt }) => field === 'ignore' && doubt !== undefined);
    const { unclear } = proposal;
    const texts = unclear.map(({ text }) => `"${clipText(text, 40)}"`);
    const ignored = unclear.filter(({ to }) => to === 'ignore').length;
    const counts = `guessed ${formatCount(unclear.length - ignored, 'place')}, ignored ${ignored}`;
    const hints = [
      isNeeded ? (isDry ? `With the mapping, ${path} is:` : `Added to ${path}.`) : 'No mapping is needed.',
      ...(missing.length > 0
        ? [`${isTable ? 'Columns' : 'Fields'} still required to publish: ${wanted.join(', ')}.`]
        : []),
      ...(proposal.country ? [`Default country for places: ${proposal.country} (\`country\`).`] : []),
      ...(isDry && isNeeded ? text.trimEnd().split('\n') : []),
      ...(doubtful.length > 0
        ? [`Ignored ${formatCount(doubtful.length, 'unclear name')}. To map one, edit ${path}.`]
        : []),
      ...(unclear.length > 0
        ? [`Unclear values: ${counts} (${joinTexts(texts, 3)}). To correct one, edit ${path}.`]
        : []),
      `Check the result: partner jobs validate ${shellWord(file)} --draft`,
    ];
    return {
      json: { file, defaults: path, written: isNeeded && !isDry, ...proposal },
      text: () => table(COLUMNS, proposal.columns, this.view, 'No names.'),
      hint: hints,
    };
  }
}
