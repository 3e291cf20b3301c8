import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixture } from '../fixture.ts';
import feeds from '../import/nightly-feeds.json' with { type: 'json' };
import { newHome } from './partner.ts';

const TITLES = [
  ...['Nurse', 'Senior Nurse', 'Lead Surgeon', 'Ward Clerk', 'Account Executive', 'Sales Lead', 'Cook'],
  ...['Junior Cook', 'Dishwasher', 'Trainer', 'Physiotherapist', 'Porter'],
];
const HEADINGS = ['Requirements', 'Must have', "What you'll bring"];

const POSTS = TITLES.map((title, at) => ({
  number: at + 1,
  title,
  department: ['Nursing', 'Sales', 'Kitchen'][Math.floor(at / 4)],
  place: ['Austin, TX', 'Denver, CO', 'Chicago, IL'][at % 3] ?? '',
  intro: `We look for a ${title}.`,
  required: [`Two years as ${title}`, 'A clean record'],
  nice: ['Spanish'],
  // The last posting has a heading that isn't listed, and the one before has no pay.
  heading: at === 11 ? 'You are' : HEADINGS[at % 3],
  pay: at === 10 ? [] : [50_000 + at * 1000, 60_000 + at * 1000],
}));

type Post = (typeof POSTS)[number];

/** Ten changes of a source, one per posting. The last one replaces its posting. */
const CHANGES: readonly ((post: Post) => Post)[] = [
  (post) => ({ ...post, title: `Senior ${post.title}` }),
  (post) => ({ ...post, required: [...post.required, 'A license'] }),
  (post) => ({ ...post, required: post.required.slice(1) }),
  (post) => ({ ...post, required: post.required.map((text) => `${text}!`) }),
  (post) => ({ ...post, nice: [...post.nice, 'French'] }),
  (post) => ({ ...post, pay: [70_000, 80_000] }),
  (post) => ({ ...post, place: 'Boston, MA' }),
  (post) => ({ ...post, department: 'Sales' }),
  (post) => ({ ...post, intro: 'We changed our mind.', heading: 'Requirements' }),
  (post) => ({ ...post, number: 99, title: 'Night Nurse' }),
];

const DEFAULTS = new URL('../import/nightly-defaults.yaml', import.meta.url);

/** Fills in the templates of a feed, which has the shape of the system's public API. */
function buildFeed(
  { around, post: template }: { around: string; post: unknown },
  posts: readonly Post[],
): string {
  const isXml = typeof template === 'string';
  const toList = (items: readonly string[]) => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
  const all = posts.map(({ intro, required, nice, pay: [min = '', max = ''], ...post }) => {
    const [items, niceItems] = [toList(required), toList(nice)];
    const [city, state] = post.place.split(', ');
    const values: Readonly<Record<string, unknown>> = {
      ...{ ...post, items, niceItems, city, state, min, max, id: `P-${post.number}` },
      url: `https://jobs.example.com/${post.number}`,
      duties: `<p>${intro}</p><h3>What you will do</h3>${toList(['Help', 'Write'])}`,
      wanted: `<h3>${post.heading}</h3>${items}`,
      nice: `<h3>Nice to have</h3>${niceItems}<h3>Benefits</h3>${toList(['Lunch'])}`,
    };
    const text = isXml ? template : JSON.stringify(template);
    return text.replace(/\{(\w+)\}/g, (_, name) => {
      const value = String(values[name]);
      return isXml ? value : JSON.stringify(value).slice(1, -1);
    });
  });
  return around.replace('POSTS', all.join(isXml ? '' : ','));
}

interface Item {
  readonly status: string;
  readonly conflicts: readonly unknown[];
  readonly rules: Readonly<Record<string, { readonly rule: number }>>;
}

describe('a feed that is imported every night, with rules', () => {
  const home = fixture('all tests', newHome);

  for (const [name, feed] of Object.entries(feeds))
    it(`needs at most half an edit per listing, and has no conflict after ten changes: ${name}`, async () => {
      const out = name.replace('.', '-');
      const importPosts = async (posts: readonly Post[]) => {
        await home.file(name, buildFeed(feed, posts));
        const run = await home.run(['jobs', 'import', name, '--out', out, '--json']);
        assert.equal(run.code, 0, run.stdout);
        return (run.json() as { items: Item[] }).items;
      };
      const listGaps = async () => {
        const run = await home.run(['jobs', 'validate', out, '--json']);
        const { findings } = run.json() as { findings: { file: string; field: string; level: string }[] };
        return findings
          .filter(({ level }) => level === 'error')
          .map(({ file, field }) => [file, field] as const);
      };
      mkdirSync(join(home.path, out));
      copyFileSync(DEFAULTS, join(home.path, out, '_defaults.yaml'));
      const first = await importPosts(POSTS);
      assert.equal(first.length, POSTS.length);
      assert.equal(first[0]?.rules.jobLevel?.rule, 3);
      const gaps = await listGaps();
      assert.ok(gaps.length <= POSTS.length / 2, JSON.stringify(gaps));
      const pay: Readonly<Record<string, string>> = {
        salaryMin: '1',
        salaryMax: '2',
        salaryPeriod: 'HOURLY',
      };
      for (const [file, field] of gaps) {
        const path = join(home.path, file);
        const text = readFileSync(path, 'utf8');
        const marked = field === 'qualifications' ? text.replace('kind: DESIRED', 'kind: REQUIRED') : text;
        writeFileSync(path, field in pay ? `${text}${field}: ${pay[field]}\n` : marked);
      }
      assert.deepEqual(await listGaps(), []);
      assert.ok((await importPosts(POSTS)).every(({ status }) => status === 'unchanged'));
      const changed = await importPosts(POSTS.map((post, at) => CHANGES[at]?.(post) ?? post));
      assert.deepEqual(
        changed.flatMap(({ conflicts }) => conflicts),
        [],
      );
      assert.deepEqual(await listGaps(), []);
    });
});
