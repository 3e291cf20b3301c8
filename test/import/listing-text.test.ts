import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as yaml from 'yaml';
import * as listingText from '../../src/import/listing-text.ts';
import type { ImportedPosting } from '../../src/import/source-posting.ts';
import { yamlDocument } from '../../src/listings/write/yaml.ts';
import written from './listing-text.json' with { type: 'json' };
import refused from './not-editable.json' with { type: 'json' };

const taken = <T>(value: T) => ({ value, sure: 'taken' as const, from: 'its own field' });

const POSTING: ImportedPosting = {
  id: '127817',
  values: {
    title: taken('Night nurse'),
    description: taken('Nights on the ward.\n\n- Twelve hours\n- # not a comment'),
    remoteOption: taken('IN_PERSON'),
    jobLevel: { value: 'SENIOR', sure: 'guessed', from: 'the title: "Senior"' },
    locations: taken(['Austin, Texas, United States']),
    opportunityId: taken('127817'),
    atsJobUrl: taken('https://boards.example.com/jobs/127817'),
    qualifications: taken([{ text: 'A license', kind: 'DESIRED' as const, order: 1 }]),
  },
  notes: written.notes as ImportedPosting['notes'],
};

const YAML = readFileSync(new URL('night-nurse.yaml', import.meta.url), 'utf8');

/** Returns the text of a file after fields were changed to the values of another posting. */
function edited(
  name: string,
  text: string,
  values: ImportedPosting['values'],
  ...fields: (keyof typeof values)[]
) {
  const posting = { ...POSTING, values: { ...POSTING.values, ...values }, notes: [] };
  const lines = listingText.fieldLines(yamlDocument(yaml, listingText.toWrittenListing(posting)));
  const changes = fields.map((field) => ({
    field,
    value: values[field]?.value,
    lines: [...listingText.fieldComments(posting, field), ...(lines.get(field) ?? [])],
  }));
  return opened(name, text).applyChanges(changes);
}

function opened(name: string, text: string): listingText.EditableListing {
  const listing = listingText.editableListing(name, text, yaml);
  if (typeof listing === 'string') assert.fail(listing);
  return listing;
}

describe('a file created by an import', () => {
  it('has fields in the order of the contract, with comments', () =>
    assert.equal(listingText.newListing(POSTING, 'Greenhouse', 'yaml', yaml), YAML));

  it('has the same content in each format', () => {
    for (const format of ['yaml', 'json', 'md'] as const) {
      const listing = opened(`a.${format}`, listingText.newListing(POSTING, 'Greenhouse', format, yaml));
      const description = String(listing.values.description).trim();
      const key = 'Greenhouse:127817';
      assert.deepEqual(
        { ...listing.values, description },
        { key, ...listingText.toWrittenListing(POSTING) },
        format,
      );
    }
  });

  it('preserves any source text in comments and values', () => {
    for (const text of written.texts)
      for (const format of ['yaml', 'md'] as const) {
        const values = {
          ...POSTING.values,
          title: { ...taken(text), note: text, sure: 'guessed' as const, from: text },
        };
        const written = listingText.newListing(
          { id: text, values, notes: [{ field: 'jobType', kind: 'missing', text }] },
          text,
          format,
          yaml,
        );
        const { values: read } = opened(`a.${format}`, written);
        assert.deepEqual(Object.keys(read).sort(), ['key', ...Object.keys(POSTING.values)].sort(), written);
        assert.equal(Buffer.from(String(read.title)).toString(), Buffer.from(text).toString());
      }
  });
});

describe('a file changed by an import', () => {
  /** The file after edits by a user. */
  const mine = YAML.replace('# Posting', '# Ask Jo before this changes\n# Posting')
    .replace('remoteOption: IN_PERSON', "remoteOption:   'IN_PERSON'   # mine\n\n# about the level")
    .replace('opportunityId', 'bidPerQualifiedApplicantCents: 1500 # agreed\nopportunityId')
    .replace(/$/, '\n# the end\n');

  it('changes only the lines of changed values', () => {
    const text = edited('a.yaml', mine, { title: taken('Head nurse') }, 'title');
    assert.equal(text, mine.replace('title: Night nurse', 'title: Head nurse'));
  });

  it('loses an outdated comment', () => {
    const text = edited(
      'a.yaml',
      mine,
      { jobLevel: taken('MID'), salaryMin: taken(60_000) },
      'jobLevel',
      'salaryMin',
    );
    assert.equal(
      text,
      mine
        .replace('# jobLevel: guessed from the title: "Senior"\njobLevel: SENIOR', 'jobLevel: MID')
        .replace(/# salaryMin: .*/, 'salaryMin: 60000'),
    );
  });

  it('loses a field that the source no longer has, with a comment', () => {
    const text = edited(
      'a.yaml',
      mine,
      { remoteOption: undefined, locations: undefined } as never,
      'remoteOption',
      'locations',
    );
    assert.equal(
      text,
      mine
        .replace(/remoteOption: .*/, '# remoteOption: missing: not in the source')
        .replace('locations:\n  - Austin, Texas, United States\n', ''),
    );
  });

  it('gets new fields at their position, also with several lines', () => {
    const before = 'title: a\n\n# jobs\njobType: FULL_TIME\n\n# end\n';
    const description = 'one\n\n  two';
    const text = edited(
      'a.yaml',
      before,
      { description: taken(description), questions: taken([]), salaryMin: taken(1) },
      'description',
      'salaryMin',
    );
    assert.equal(
      text,
      'title: a\ndescription: |-\n  one\n\n    two\n\n# jobs\njobType: FULL_TIME\nsalaryMin: 1\n\n# end\n',
    );
  });

  it('keeps CRLF and a document end marker', () => {
    const before = '---\r\ntitle: a\r\njobType: FULL_TIME\r\n...\r\n';
    const text = edited('a.yml', before, { title: taken('b'), jobLevel: taken('MID') }, 'title', 'jobLevel');
    assert.equal(text, '---\r\ntitle: b\r\njobType: FULL_TIME\r\njobLevel: MID\r\n...\r\n');
  });

  it('keeps the Markdown body unless the description changed', () => {
    const before = listingText
      .newListing(POSTING, 'Greenhouse', 'md', yaml)
      .replace('title', '# mine\ntitle');
    const title = edited('a.md', before, { title: taken('Head nurse') }, 'title');
    assert.equal(title, before.replace('Night nurse', 'Head nurse'));
    const text = edited('a.md', before, { description: taken('Days.\n\n---\n\nx') }, 'description');
    assert.equal(text, `${before.slice(0, before.indexOf('\n---\n', 4))}\n---\n\nDays.\n\n---\n\nx\n`);
    const hidden = edited('a.md', before, { description: taken('a\u202eb') }, 'description');
    assert.equal(opened('a.md', hidden).values.description, 'a\u202eb');
    assert.match(hidden, /^description: "a\\u202eb"$[\s\S]*---\n$/m);
  });

  it('keeps the order of JSON and unknown fields, and adds new fields at the end', () => {
    const before = {
      $schema: 'x',
      jobType: 'FULL_TIME',
      title: 'a',
      bidPerQualifiedApplicantCents: 1,
      own: 2,
    };
    const text = edited(
      'a.json',
      JSON.stringify(before),
      { title: taken('b'), salaryMin: taken(1) },
      'title',
      'salaryMin',
    );
    assert.equal(text, `${JSON.stringify({ ...before, title: 'b', salaryMin: 1 }, undefined, 2)}\n`);
  });

  it("stays unchanged, with a reason, if it can't be edited", () => {
    for (const { name, text, reason } of refused) {
      const found = listingText.editableListing(name, text, yaml);
      assert.match(typeof found === 'string' ? found : 'none', new RegExp(reason), text);
    }
  });
});
