import { details } from '../../cli/terminal/blocks.ts';
import { fieldsIn, textIn } from '../../cli/terminal/read.ts';
import type { View } from '../../cli/terminal/view.ts';

/** Where calls go, which source said so, and where the key is kept. */
export function targetStatus(status: unknown, view: View): string {
  const { target, baseUrl, profile, key, from, keyWithheld, configFile, dataDirectory } = fieldsIn(status);
  const source = fieldsIn(from);
  const said = (value: string | undefined, by: unknown): string | undefined =>
    value === undefined ? undefined : `${value} ${view.paint('dim', `(${textIn(by) ?? 'unset'})`)}`;
  const isBundled = target === 'embedded';
  return details(
    [
      [
        'Calls go to',
        isBundled ? said('the bundled engine', source.baseUrl) : said(textIn(baseUrl), source.baseUrl),
      ],
      ['Profile', said(textIn(profile), source.profile)],
      ['Key', said(textIn(key), source.key) ?? (isBundled ? "the bundled engine's own" : 'none')],
      ['', textIn(keyWithheld)],
      ['Profiles kept in', textIn(configFile)],
      ['Data kept in', textIn(dataDirectory)],
    ],
    view,
  );
}
