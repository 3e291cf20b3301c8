import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { createRequiredArg, listFlags, numberFlag, textFlag } from '../../cli/flags/flag-values.ts';
import { serverFlags } from '../../cli/flags/server-flags.ts';
import { sortItems } from '../../cli/terminal/table.ts';
import { PartnerError } from '../../contract/errors.ts';
import { PLACE_LIMIT_MAX } from '../../contract/values.ts';
import { placeQueryFault } from '../../places/place-names.ts';
import { findPlaces, PLACE_COLUMNS, placeTable } from './place-tables.ts';
import words from './search.json' with { type: 'json' };

export default class LocationsSearch extends PartnerCommand {
  static override summary = 'Search for places';
  static override description = 'Listings identify places by ID. The search ignores case and accents.';
  static override examples = [
    'partner locations search bost',
    'partner locations search "springfield, il"',
    'partner locations search paris --country US --limit 3 --json',
  ];
  static override args = { query: createRequiredArg('Place name or its first letters') };
  static override flags = {
    limit: numberFlag({
      max: PLACE_LIMIT_MAX,
      description: `Maximum number of places (up to ${PLACE_LIMIT_MAX})`,
    }),
    country: textFlag('COUNTRY', 'Filter by country (code or name)'),
    'location-query-parameter': serverFlags['location-query-parameter'],
    ...listFlags(PLACE_COLUMNS),
  };
  static override strict = false;

  protected override async perform(): Promise<Outcome> {
    const { argv, flags } = await this.parse(LocationsSearch);
    // Unquoted words are one query: `locations search new york`.
    const q = (argv as string[]).join(' ').trim();
    if (q === '') throw new PartnerError('USAGE', words.empty);
    const connection = await this.connect({ access: 'read' });
    const fault = placeQueryFault(q, connection.limits);
    if (fault !== undefined)
      throw new PartnerError('VALIDATION_FAILED', { ...words.tooLong, fields: { q: fault } });
    const found = await findPlaces({ q, limit: flags.limit, country: flags.country }, connection);
    const hint = connection.searchHint();
    if (hint !== undefined) await this.note(`warning: ${hint}`);
    const populationOf = await connection.openPopulations();
    const places = found.map((place) => ({ ...place, population: populationOf(place) }));
    const rows = sortItems(places, flags);
    return {
      // The API has no population, so `--json` doesn't include it.
      json: { items: rows.map(({ population: _, ...place }) => place) },
      text: () => placeTable(rows, this.view, flags),
      hint: rows.length === 0 && !hint ? `no place matches \`${q}\`. Try fewer letters` : undefined,
    };
  }
}
