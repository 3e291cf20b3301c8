import * as Flags from '@oclif/core/flags';
import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { optionalArg } from '../../cli/flags/flag-values.ts';
import { serverFlags } from '../../cli/flags/server-flags.ts';
import { unasked } from '../../cli/terminal/ask.ts';
import { jsonText } from '../../cli/terminal/json.ts';

export default class LocationsPick extends PartnerCommand {
  static override summary = 'Pick a place on a terminal, and print it as a listing names it';
  static override description =
    'Shows the canonical places while you type. The questions are on stderr, so that stdout can go into a file; nothing is asked where nobody can answer, in a script or under --json.';
  static override examples = [
    'partner locations pick',
    'partner locations pick springfield > place.json',
    'partner locations pick --many > places.json',
  ];
  static override args = { query: optionalArg('What is typed to begin with') };
  static override flags = {
    many: Flags.boolean({ description: 'Pick several, and print an array' }),
    'location-query-parameter': serverFlags['location-query-parameter'],
  };
  static override strict = false;

  protected override async perform(): Promise<Outcome> {
    const { argv, flags } = await this.parse(LocationsPick);
    const { streams } = this;
    // Words without quotes are one query: `locations pick new york`.
    const query = (argv as string[]).join(' ');
    const { many } = flags;
    const question = many ? 'Which places?' : 'Which place?';
    if (!streams.canAsk) {
      const words = query === '' ? 'QUERY' : JSON.stringify(query);
      throw unasked(question, `\`partner locations search ${words}\``);
    }
    const { searchPlaces: search } = await this.connect({ access: 'read' });
    const { pickPlaces } = await import('../../cli/places/place-picker.ts');
    const picked = await pickPlaces(streams, {
      search,
      question,
      flag: 'partner locations search QUERY',
      many,
      first: query,
    });
    const result = many ? picked : picked[0];
    return { json: result, text: () => jsonText(result) };
  }
}
