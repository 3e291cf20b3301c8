import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { serveFlags, serveSettings } from '../../src/commands/engine/serve-settings.ts';
import { FILE_BYTES_MAX } from '../../src/engine/applications/files.ts';
import { parseDatabaseAddress } from '../../src/engine/store/address.ts';
import { commandNames } from '../cli/partner.ts';

const read = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../deploy/${name}`, import.meta.url)), 'utf8');

interface Service {
  readonly environment: Readonly<Record<string, string>>;
  readonly entrypoint?: readonly string[];
  readonly secrets?: readonly string[];
  readonly networks: readonly string[] | Readonly<Record<string, unknown>>;
  readonly depends_on?: Readonly<Record<string, unknown>>;
}

/** Nothing here starts a container: what stands in the files is held against the code. */
describe('the files for containers', () => {
  const compose: { services: Record<string, Service>; networks: object; secrets: object } = parse(
    read('compose.yaml'),
    { merge: true },
  );
  const { services } = compose;
  const dockerfile = read('Dockerfile');
  const inImage = Object.fromEntries(
    [...dockerfile.matchAll(/(PARTNER_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  ) as Record<string, string>;

  it('set what `engine serve` knows, to values that it takes', () => {
    for (const name of ['engine-1', 'engine-2']) {
      const { PARTNER_ENGINE_DATABASE: database = '', ...environment } = services[name]?.environment ?? {};
      assert.equal(parseDatabaseAddress(database, name).dialect, 'postgres');
      assert.equal(new URL(database).password, '');
      assert.equal(new URL(database).hostname in services, true);
      const set = { ...inImage, ...environment };
      const known = Object.keys(serveFlags).map((flag) => flag.toUpperCase().replaceAll('-', '_'));
      for (const variable of Object.keys(set).filter((each) => each.startsWith('PARTNER_ENGINE_')))
        assert.ok(known.includes(variable.replace('PARTNER_ENGINE_', '')), variable);
      assert.equal(serveSettings({}, set).host, '0.0.0.0');
    }
  });

  it('run commands that there are, and refer to services, networks and secrets that there are', () => {
    const lines = [...`${read('compose.yaml')}${dockerfile}`.matchAll(/partner (engine [a-z ]+)/g)];
    const isKnown = ([, line = '']: readonly string[]) =>
      commandNames().some((name) => line.startsWith(name));
    assert.deepEqual([lines.filter((line) => !isKnown(line)), lines.length >= 2], [[], true]);
    for (const { secrets = [], networks, depends_on: others = {} } of Object.values(services)) {
      for (const name of secrets) assert.ok(name in compose.secrets, name);
      for (const name of Array.isArray(networks) ? networks : Object.keys(networks))
        assert.ok(name in compose.networks, name);
      for (const name of Object.keys(others)) assert.ok(name in services, name);
    }
  });

  it('have a proxy that reaches the engines, lets a file through, and leaves no door to make up an address', () => {
    const nginx = read('nginx.conf');
    const upstreams = [...nginx.matchAll(/^\s+server ([\w.-]+:\d+)/gm)].map(([, upstream]) => upstream);
    const addresses = [...read('compose.yaml').matchAll(/ipv4_address: ([\d.]+)/g)];
    const engines = addresses.map(([, address]) => `${address}:${inImage.PARTNER_ENGINE_PORT}`);
    assert.deepEqual(upstreams, [...engines, ...engines]);
    const megabytes = Number(/client_max_body_size (\d+)m;/.exec(nginx)?.[1]);
    assert.ok(megabytes * 1024 * 1024 > FILE_BYTES_MAX);
    assert.match(nginx, /X-Forwarded-For \$remote_addr;/);
    assert.equal([...nginx].filter((c) => c === '{').length, [...nginx].filter((c) => c === '}').length);
  });

  it('keep passwords out of the image, and run as a user without rights', () => {
    assert.doesNotMatch(dockerfile, /PASSWORD|API_KEY|postgres:\/\//);
    assert.match(dockerfile, /^USER node$/m);
    assert.match(dockerfile, /readyz/);
    assert.match(read('Dockerfile.dockerignore'), /^deploy\/postgres-password$/m);
  });
});
