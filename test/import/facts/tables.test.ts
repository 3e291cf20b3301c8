import { deepEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { htmlReader } from '../../../src/import/facts/html-text.ts';
import { importPosting } from '../../../src/import/facts/imported-posting.ts';
import type { ImportedPosting, SourceFields } from '../../../src/import/source-posting.ts';

const toText = await htmlReader();

/** Each line has a text and its meaning. `?` marks a guess, `-` a missing value, `~` a part of the reason. */
describe('texts of boards', () => {
  table('levels', 'the level of a title, if it has one', ([title = '']) =>
    said(read({ title }).values.jobLevel).replace(' ?', ''),
  );
  table('types', 'a type of employment in the words of its system', ([text = '']) =>
    said(read({ jobType: text.split(', ') }).values.jobType),
  );
  table('pays', 'a pay field in whole dollars per year or hour, or the reason why not', ([text = '']) =>
    pay(read({ salaries: [{ text }], ...IN_AUSTIN })),
  );
  table('pays-in-text', 'a description says a pay only where just one is clear', ([text = '']) =>
    pay(read({ description: [{ text, isHtml: false }], ...IN_AUSTIN })),
  );
  table('work-places', 'a work place by its field', ([workplace = '']) =>
    said(read({ workplace }).values.remoteOption),
  );
  table(
    'prompts',
    'what every applicant is asked and what the law asks is no screening question',
    ([prompt = '']) => {
      const { values, notes } = read({
        questions: [{ prompt, type: 'input_text', options: [], isReserved: false }],
      });
      if (values.questions !== undefined) return 'kept';
      return notes.some(({ text }) => text.startsWith('collected from every')) ? 'asked' : 'legal';
    },
  );
  table('headings', 'a list is one of qualifications by its heading', ([heading = '']) => {
    const html = `<p><b>${heading}</b></p><ul><li>Drive a van</li></ul>`;
    const { values } = read({ description: [{ text: html, isHtml: true }] });
    return values.qualifications?.value.some(({ text }) => text === 'Drive a van') ? 'yes' : 'no';
  });
});

describe('a title and a URL', () => {
  it('a title is one line without entities and markup, but keeps words in angle brackets and (m/w/d)', () => {
    const title = (given: string) => read({ title: given }).values.title?.value;
    deepEqual(title('  R&amp;D\u00a0Engineer\u200b \n (m/w/d) '), 'R&D Engineer (m/w/d)');
    deepEqual(title('<b>Nurse</b> <i>nights</i>'), 'Nurse nights');
    deepEqual(title('C++ <Embedded> Developer'), 'C++ <Embedded> Developer');
    deepEqual(title('x'.repeat(501)), undefined);
  });

  it('a URL has no tracking parameters, and gets a missing scheme', () => {
    const address = (atsJobUrl: string) => read({ atsJobUrl }).values.atsJobUrl?.value;
    deepEqual(address('jobs.example.com/7'), 'https://jobs.example.com/7');
    deepEqual(address('//jobs.example.com/7'), 'https://jobs.example.com/7');
    deepEqual(
      address('https://a.example/x?utm_source=b&gh_jid=7&utm_medium=c#top'),
      'https://a.example/x?gh_jid=7#top',
    );
    deepEqual(address('https://a.example/x?gh_src=b'), 'https://a.example/x');
    deepEqual(address('https://a.example/Straße 7'), 'https://a.example/Stra%C3%9Fe%207');
    for (const none of ['javascript:alert(1)', 'not an address', 'mailto:a@b.example', 'https://'])
      deepEqual(address(none), undefined);
  });
});

describe('the heading of a part of a description', () => {
  it('is one line without entities and markup', () => {
    const description = [{ heading: 'What you&#39;ll need:<br>', text: 'A van', isHtml: false }];
    deepEqual(read({ description }).values.description?.value, "What you'll need:\nA van");
  });
});

describe('the lists of a description', () => {
  it('are ordered items with nested items as parts, each list under its heading', () => {
    const text = `Requirements:
To succeed here you have:
  • Two years with boats, such as:
     ◦ Ferries
     ◦ Tugs
  • A clean licence
Perks
  • Coffee
Nice to have
1. Welsh
2) A clean licence`;
    const { values } = read({ description: [{ text, isHtml: false }] });
    const kinds = (...requiredUnder: string[]) =>
      read({ description: [{ text, isHtml: false }] }, requiredUnder).values.qualifications?.value.map(
        ({ kind }) => kind,
      );
    deepEqual(kinds('requirements'), ['REQUIRED', 'REQUIRED', 'DESIRED']);
    deepEqual(kinds('skills', 'nice to have'), ['DESIRED', 'REQUIRED', 'REQUIRED']);
    deepEqual(values.qualifications?.value, [
      { text: 'Two years with boats, such as: Ferries; Tugs', kind: 'DESIRED', order: 1 },
      { text: 'A clean licence', kind: 'DESIRED', order: 2 },
      { text: 'Welsh', kind: 'DESIRED', order: 3 },
    ]);
  });
});

const AUSTIN = {
  locationId: 1,
  displayName: 'Austin',
  city: 'Austin',
  stateProvince: 'Texas',
  country: 'United States',
};
const IN_AUSTIN = { places: [{ text: 'Austin' }] };

function table(name: string, promise: string, answer: (cells: string[]) => string): void {
  const lines = readFileSync(new URL(`./${name}.txt`, import.meta.url), 'utf8')
    .trim()
    .split('\n');
  it(`${promise}: ${lines.length} texts`, () => {
    const wrong = lines.flatMap((line) => {
      const cells = line.split(' | ');
      const [wanted = '', answered] = [cells.pop(), answer(cells)];
      const isRight = wanted.startsWith('~ ') ? answered.includes(wanted.slice(2)) : answered === wanted;
      return isRight ? [] : [`${line}, not ${answered}`];
    });
    deepEqual(wrong, []);
  });
}

function read(given: Partial<SourceFields>, requiredUnder?: readonly string[]): ImportedPosting {
  const fields = Object.entries(given).map(([field, value]) => [
    field,
    { value, from: field, isOwnField: true },
  ]);
  const place = { ...AUSTIN, countryCode: 'US', population: 1 };
  const findMeaning = () => ({ kind: 'place', place, sure: 'exact' }) as const;
  return importPosting(
    { id: '1', fields: Object.fromEntries(fields) },
    { findMeaning, toText, requiredUnder },
  );
}

function said(found: { readonly value: string; readonly sure: string } | undefined): string {
  return found === undefined ? '-' : `${found.value}${found.sure === 'guessed' ? ' ?' : ''}`;
}

function pay({ values, notes }: ImportedPosting): string {
  const { salaryMin: min, salaryMax: max, salaryPeriod: period } = values;
  if (period === undefined) return notes.find(({ field }) => field === 'salaryMin')?.text ?? '';
  const unit = period.value === 'ANNUAL' ? 'a year' : 'an hour';
  return `${min?.value ?? ''}-${max?.value ?? ''} ${unit}${period.sure === 'guessed' ? ' ?' : ''}`;
}
