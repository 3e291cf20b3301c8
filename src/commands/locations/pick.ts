import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { optionalArg, switchFlag } from '../../cli/flags/flag-values.ts';
import { serverFlags } from '../../cli/flags/server-flags.ts';
import { createInputError } from '../../cli/terminal/ask.ts';
import { jsonText } from '../../cli/terminal/view.ts';

export default class LocationsPick extends PartnerCommand {
  static override summary = 'Pick a place interactively and print it as JSON';
  static override description =
    'Searches for places as you type. Prompts go to stderr, so that you can redirect stdout to a file. Requires a terminal, and fails with --json.';
  static override examples = [
    'partner locations pick',
    'partner locations pick springfield > place.json',
    'partner locations pick --many > places.json',
  ];
  static override args = { query: optionalArg('Initial search text') };
  static override flags = {
    many: switchFlag('Pick several places and print an array'),
    'location-query-parameter': serverFlags['location-query-parameter'],
  };
  static override strict = false;

  protected override async perform(): Promise<Outcome> {
    const { argv, flags } = await this.parse(LocationsPick);
    const { streams } = this;
    // Unquoted words are one query: `locations pick new york`.
    const query = (argv as string[]).join(' ');
    const { many } = flags;
    const question = many ? 'Which places?' : 'Which place?';
    if (!streams.canAsk) {
      const words = query === '' ? 'QUERY' : JSON.stringify(query);
      throw createInputError(question, `\`partner locations search ${words}\``);
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
