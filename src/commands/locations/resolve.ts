import * as Flags from '@oclif/core/flags';
import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { requiredArg } from '../../cli/flags/flag-values.ts';
import { listFlags } from '../../cli/flags/list-flags.ts';
import { sorted } from '../../cli/terminal/column.ts';
import { table } from '../../cli/terminal/table.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { Places } from '../../contract/place-names.ts';
import { counted } from '../../contract/words.ts';
import { textsOfList, textsOfListings } from '../../listings/places/place-uses.ts';
import { placesToWrite, writePlaces } from '../../listings/places/write-places.ts';
import { expandPaths } from '../../listings/read/paths.ts';
import { RESOLVED_COLUMNS, resolvedText } from './resolved-texts.ts';

export default class LocationsResolve extends PartnerCommand {
  static override summary = 'Show which place each text in job files means';
  static override description =
    'Reads job files, or a list with one text on each line (a .txt file, or - for stdin), and shows what each text becomes and how sure that is. Exit 3 if a text is not decided.';
  static override examples = [
    'partner locations resolve jobs',
    'partner locations resolve jobs --write',
    { description: 'A list, one text a line', command: "printf 'SF\\nNYC\\n' | partner locations resolve -" },
  ];
  static override args = {
    path: requiredArg('Job files, directories and globs; lists in .txt files; - reads a list from stdin'),
  };
  static override strict = false;
  static override flags = {
    write: Flags.boolean({
      description: 'Put the places that are decided into JSON, YAML and Markdown files, with their ids',
    }),
    ...listFlags(RESOLVED_COLUMNS),
  };

  protected override async perform(): Promise<Outcome> {
    const { argv, flags } = await this.parse(LocationsResolve);
    const places = await this.bundledPlaces();
    const { items, unread } = await this.usedTexts(argv as string[], places);
    const [fault] = unread;
    if (fault !== undefined)
      throw new PartnerError('FILE_INVALID', {
        message: `${fault.file}:${fault.line}: ${fault.message}`,
        hint: fault.hint,
      });
    const { written, files, left } = flags.write ? writePlaces(items) : { written: 0, files: 0, left: [] };
    const undecided = items.filter(({ meaning }) => placesToWrite(meaning) === undefined);
    const [first] = left;
    const notes = [
      `${items.length - undecided.length} of ${counted(items.length, 'text')} decided`,
      ...(flags.write ? [`${counted(written, 'text')} replaced in ${counted(files, 'file')}`] : []),
      ...(first
        ? [`${first.file}:${first.line} and such places are left as they are: change them by hand`]
        : []),
    ];
    return {
      json: { items: items.map(resolvedText), ...(flags.write && { written, files, left }) },
      text: () => table(RESOLVED_COLUMNS, sorted(items, flags), this.view, 'No texts for places.', flags),
      hint: notes.join('; '),
      exit: undecided.length > 0 ? new PartnerError('PLACE_AMBIGUOUS').exit : undefined,
    };
  }

  private async usedTexts(paths: readonly string[], places: Places) {
    const lists = paths.filter((path) => path === '-' || /\.txt$/i.test(path));
    const jobs = paths.filter((path) => !lists.includes(path));
    const found = await Promise.all(lists.map((list) => textsOfList(list, this.streams, places)));
    if (jobs.length > 0) found.push(await textsOfListings(await expandPaths(jobs), this.streams, places));
    return { items: found.flatMap(({ items }) => items), unread: found.flatMap(({ unread }) => unread) };
  }
}
