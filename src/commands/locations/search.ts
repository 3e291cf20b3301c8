import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { numberFlag, requiredArg, textFlag } from '../../cli/flags/flag-values.ts';
import { listFlags } from '../../cli/flags/list-flags.ts';
import { serverFlags } from '../../cli/flags/server-flags.ts';
import { sorted } from '../../cli/terminal/column.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { LocationSuggestion } from '../../contract/job.ts';
import { placeQueryFault } from '../../contract/place-names.ts';
import { PLACE_LIMIT_MAX } from '../../contract/values.ts';
import { populationIn } from '../../listings/places/locations.ts';
import { PLACE_COLUMNS, placeTable, searchedPlaces } from './found-places.ts';

export default class LocationsSearch extends PartnerCommand {
  static override summary = 'Search the canonical places';
  static override description =
    'A listing names places by the id found here. Case and accents do not matter.';
  static override examples = [
    'partner locations search bost',
    'partner locations search "springfield, il"',
    'partner locations search paris --country US --limit 3 --json',
  ];
  static override args = { query: requiredArg('A place, or how it begins') };
  static override flags = {
    limit: numberFlag({ max: PLACE_LIMIT_MAX, description: `At most this many, up to ${PLACE_LIMIT_MAX}` }),
    country: textFlag('COUNTRY', 'Only there: a two-letter code or a name'),
    'location-query-parameter': serverFlags['location-query-parameter'],
    ...listFlags(PLACE_COLUMNS),
  };
  static override strict = false;

  protected override async perform(): Promise<Outcome> {
    const { argv, flags } = await this.parse(LocationsSearch);
    // Words without quotes are one query: `locations search new york`.
    const q = (argv as string[]).join(' ').trim();
    if (q === '') throw new PartnerError('USAGE', NOTHING);
    const connection = await this.connect({ access: 'read' });
    const fault = placeQueryFault(q, connection.limits);
    if (fault !== undefined)
      throw new PartnerError('VALIDATION_FAILED', { ...TOO_LARGE, fields: { q: fault } });
    const found = await searchedPlaces({ q, limit: flags.limit, country: flags.country }, connection);
    const hint = connection.searchHint();
    if (hint !== undefined) await this.note(`warning: ${hint}`);
    const rows = sorted(await this.withPopulation(found), flags);
    return {
      // The population is ours: `--json` is what the server answered.
      json: { items: rows.map(({ population: _, ...place }) => place) },
      text: () => placeTable(rows, this.view, flags),
      hint: rows.length === 0 && !hint ? `no place is called \`${q}\`; try fewer letters` : undefined,
    };
  }

  /** The population tells namesakes apart. The API does not give it; the bundled places know their own. */
  private async withPopulation(items: readonly LocationSuggestion[]) {
    const populationOf = populationIn(await this.bundledPlaces());
    return items.map((place) => ({ ...place, population: populationOf(place) }));
  }
}

const NOTHING = {
  message: 'there is nothing to search for',
  hint: 'name a place, or how it begins: `partner locations search bost`',
};

const TOO_LARGE = {
  message: 'the text to search for is too large',
  hint: 'name the city, or the city with its region or country',
};
