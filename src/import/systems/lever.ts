import type { SourceText } from '../source-posting.ts';
import { near, own, type System } from '../system.ts';
import * as read from './values.ts';

export const lever: System = {
  title: 'Lever',
  recognises: ({ json }) =>
    read.hasFields(read.getList(json), 'text', ['hostedUrl', 'categories', 'workplaceType']),
  postings: ({ json }) => read.getList(json),
  isListed: (posting) => (read.getText(posting, 'state') ?? 'published') === 'published',
  id: (posting) => read.getText(posting, 'id'),
  table: {
    title: 'text',
    description: own('description, lists, additional', description),
    department: ['categories.department', near('categories.team')],
    workplace: own('workplaceType', (posting) => {
      const type = read.getText(posting, 'workplaceType');
      return type === 'unspecified' ? undefined : type;
    }),
    remoteCountries: 'country',
    places: ['categories.allLocations', 'categories.location'],
    jobType: 'categories.commitment',
    jobLevel: 'categories.level',
    salaries: [
      own('salaryRange', (posting) =>
        read.readSalary(read.getValue(posting, 'salaryRange'), { ...read.PAY_NAMES, period: 'interval' }),
      ),
      own('salaryDescription', (posting) => read.salaryTexts(posting, 'salaryDescriptionPlain')),
    ],
    opportunityId: 'id',
    atsJobUrl: 'hostedUrl',
  },
  boardUrl: (name) => `https://api.lever.co/v0/postings/${name}?mode=json`,
};

/** The description usually contains the opening and the body, but not in every response. */
function description(posting: unknown): readonly SourceText[] {
  const part = (name: string) => read.richText(read.getText(posting, name, `${name}Plain`));
  const whole = part('description');
  const opening = part('opening').filter((one) => !whole.some(({ text }) => text.includes(one.text)));
  return [
    ...opening,
    ...(whole.length > 0 ? whole : part('descriptionBody')),
    ...read
      .getList(posting, 'lists')
      .flatMap((list) => read.richText(read.getText(list, 'content'), read.getText(list, 'text'))),
    ...part('additional'),
  ];
}
