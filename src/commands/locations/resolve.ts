import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { createRequiredArg, listFlags, switchFlag } from '../../cli/flags/flag-values.ts';
import { sortItems, table } from '../../cli/terminal/table.ts';
import { PartnerError } from '../../contract/errors.ts';
import { formatCount } from '../../contract/words.ts';
import { readListingTexts, readTextList, writePlaces } from '../../listings/places/place-uses.ts';
import { expandPaths } from '../../listings/read/paths.ts';
import { listPlaces } from '../../places/decide/locations.ts';
import type { Places } from '../../places/place-names.ts';
import { RESOLVED_COLUMNS } from './place-tables.ts';

export default class LocationsResolve extends PartnerCommand {
  static override summary = 'Resolve the place names in job files';
  static override description =
    "Shows the matched place and the match confidence for each location name in job files or lists. A list is a .txt file or stdin with one name per line. Exits 3 if a name can't be resolved.";
  static override examples = [
    'partner locations resolve jobs',
    'partner locations resolve jobs --write',
    {
      description: 'Resolve a list with one name per line',
      command: "printf 'SF\\nNYC\\n' | partner locations resolve -",
    },
  ];
  static override args = {
    path: createRequiredArg('Job files, directories, globs or .txt lists (- reads a list)'),
  };
  static override strict = false;
  static override flags = {
    write: switchFlag('Write resolved places with their IDs to JSON, YAML and Markdown files'),
    ...listFlags(RESOLVED_COLUMNS),
  };

  protected override async perform(): Promise<Outcome> {
    const { argv, flags } = await this.parse(LocationsResolve);
    const places = await this.openPlaceIndex();
    const { items, unread, warnings } = await this.readTexts(argv as string[], places);
    await this.note(warnings.map((warning) => `warning: ${warning}`));
    const [fault] = unread;
    if (fault !== undefined)
      throw new PartnerError('FILE_INVALID', {
        message: `${fault.file}:${fault.line}: ${fault.message}`,
        hint: fault.hint,
      });
    const { written, files, left } = flags.write ? writePlaces(items) : { written: 0, files: 0, left: [] };
    const undecided = items.filter(({ meaning }) => listPlaces(meaning) === undefined);
    const [first] = left;
    const notes = [
      `${items.length - undecided.length} of ${formatCount(items.length, 'text')} resolved`,
      ...(flags.write ? [`${formatCount(written, 'text')} replaced in ${formatCount(files, 'file')}`] : []),
      ...(first
        ? [`${first.file}:${first.line} and similar entries weren't changed. Edit them manually`]
        : []),
    ];
    const shown = items.map(({ text, uses, meaning }) => {
      return { text, uses: uses.length, first: uses[0], meaning };
    });
    return {
      json: { items: shown, ...(flags.write && { written, files, left }) },
      text: () => table(RESOLVED_COLUMNS, sortItems(items, flags), this.view, 'No place names.', flags),
      hint: notes.join('; '),
      exit: undecided.length > 0 ? new PartnerError('PLACE_AMBIGUOUS').exit : undefined,
    };
  }

  private async readTexts(paths: readonly string[], places: Places) {
    const lists = paths.filter((path) => path === '-' || /\.txt$/i.test(path));
    const jobs = paths.filter((path) => !lists.includes(path));
    const listed = await Promise.all(lists.map((list) => readTextList(list, this.streams, places)));
    const files = jobs.length > 0 ? await expandPaths(jobs) : { names: [] };
    const { items, ...found } = await readListingTexts(files, this.streams, places);
    return { ...found, items: [...listed.flat(), ...items] };
  }
}
