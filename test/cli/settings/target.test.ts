import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Profiles } from '../../../src/cli/settings/config.ts';
import type { Environment } from '../../../src/cli/settings/directories.ts';
import {
  assertBundled,
  describeRefusedKey,
  type RemoteTarget,
  requireKey,
  resolveTarget,
  type TargetFlags,
} from '../../../src/cli/settings/target.ts';
import { LIMITS, NO_LIMITS } from '../../../src/contract/values.ts';
import { tempDirectory } from '../../temp-directory.ts';
import { partnerError } from './partner-error.ts';
import precedence from './precedence.json' with { type: 'json' };
import profiles from './profiles.json' with { type: 'json' };
import target from './target.json' with { type: 'json' };

const PROFILES = profiles.several as Profiles;
const NO_PROFILES: Profiles = { current: undefined, all: [] };

function resolve(flags: TargetFlags = {}, env: Environment = {}, profiles: Profiles = NO_PROFILES) {
  return resolveTarget({ flags, env, profiles });
}

function remote(flags: TargetFlags = {}, env: Environment = {}, profiles: Profiles = PROFILES): RemoteTarget {
  const target = resolve(flags, env, profiles);
  assert.equal(target.kind, 'remote');
  return target as RemoteTarget;
}

describe('where a call goes', () => {
  it('is the current profile where nothing else is set', () =>
    assert.deepEqual(remote(), {
      kind: 'remote',
      baseUrl: 'https://acme.example/v1',
      key: 'sk_ext_acme',
      profile: 'acme',
      allowInsecure: false,
      limits: LIMITS,
      locationQueryParameter: undefined,
      caFile: undefined,
      proxy: undefined,
      timeoutMs: undefined,
      keptIn: 'acme',
      traits: undefined,
      keyWithheld: undefined,
      from: { profile: 'current profile', baseUrl: 'profile acme', key: 'profile acme' },
    }));

  it('says which source won, for the profile, the address and the key', () => {
    const expected = { profile: 'PARTNER_PROFILE', baseUrl: 'profile lab', key: 'profile lab' };
    assert.deepEqual(remote({}, { PARTNER_PROFILE: 'lab' }).from, expected);
    const env = { PARTNER_BASE_URL: 'https://env.example/v1', PARTNER_PROFILE: 'lab' };
    assert.equal(remote({}, env).from.baseUrl, 'PARTNER_BASE_URL');
    const { from } = remote({ profile: 'keyless', baseUrl: 'https://flag.example/v1' }, env);
    assert.deepEqual([from.profile, from.baseUrl], ['flag --profile', 'flag --base-url']);
  });

  it('is refused where variables are set and empty, which names them: a missing secret', () => {
    const two = { PARTNER_BASE_URL: '', PARTNER_API_KEY: ' \n' };
    const says = /^PARTNER_BASE_URL and PARTNER_API_KEY are set but empty.*--local/;
    assert.throws(() => resolve({}, two), partnerError('USAGE', says));
  });

  it('refuses --local beside a server', () => {
    const both = partnerError('USAGE', /^--local selects the bundled engine/);
    assert.throws(() => resolve({ local: true, profile: 'acme' }, {}, PROFILES), both);
    assert.throws(() => resolve({ local: true, baseUrl: 'https://flag.example/v1' }), both);
    assert.equal(resolve({ local: true, profile: 'bundled', baseUrl: 'local' }).kind, 'embedded');
  });

  it('is the bundled engine by --local, without the key that stands beside the address of a server', () => {
    const env = { PARTNER_BASE_URL: 'https://env.example/v1', PARTNER_API_KEY: 'sk_ext_env' };
    const { kind, key, from } = resolve({ local: true }, env, PROFILES);
    assert.deepEqual([kind, key], ['embedded', undefined]);
    assert.deepEqual(from, { profile: 'flag --local', baseUrl: 'flag --local', key: undefined });
  });

  it('refuses an address that is none, and says who gave it', () => {
    for (const baseUrl of ['', 'acme.example', 'ftp://acme.example', '/v1'])
      assert.throws(
        () => resolve({ baseUrl }),
        partnerError('USAGE', /^flag --base-url must start with https/),
      );
    const expected = partnerError('USAGE', /^PARTNER_BASE_URL must start with https/);
    assert.throws(() => resolve({}, { PARTNER_BASE_URL: 'x' }), expected);
  });
});

const FLAGS: Readonly<Record<string, TargetFlags>> = target.flags;
// A cell is the destination without a current profile, then with `acme`: `bundled`, a host, or `refused` (exit code 2).
const PRECEDENCE = precedence as [env: Environment, ...cells: string[]][];

describe('the precedence of flags, environment and profiles', () => {
  const { all } = PROFILES;
  for (const [env, ...cells] of PRECEDENCE) {
    for (const [index, [named, flags]] of Object.entries(FLAGS).entries()) {
      const [without = '', withCurrent = without] = cells[index]?.split('|') ?? [];
      it(`with ${JSON.stringify(env)} and ${named} is ${without}, with a current profile ${withCurrent}`, () => {
        assert.equal(placeOf(flags, env, { current: undefined, all }), without);
        assert.equal(placeOf(flags, env, PROFILES), withCurrent);
      });
    }
  }

  it('lets the commands of the dashboard and the engine through where it ends at the bundled engine alone', () => {
    for (const [env, ...cells] of PRECEDENCE) {
      for (const [index, flags] of Object.values(FLAGS).entries()) {
        const sources = { flags, env, profiles: { current: undefined, all } };
        const act = (): void => assertBundled('partner engine status', sources);
        if (cells[index]?.startsWith('bundled')) act();
        else assert.throws(act, partnerError('USAGE', /--local/));
      }
    }
  });
});

function placeOf(flags: TargetFlags, env: Environment, profiles: Profiles): string {
  try {
    const target = resolve(flags, env, profiles);
    return target.kind === 'embedded' ? 'bundled' : (new URL(target.baseUrl).hostname.split('.')[0] ?? '');
  } catch (error) {
    partnerError('USAGE', /./)(error);
    return 'refused';
  }
}

describe('the key', () => {
  const temp = tempDirectory();
  const baseUrl = 'https://acme.example/v2/';

  it('is PARTNER_API_KEY, then the file of PARTNER_API_KEY_FILE, then the profile’s', () => {
    const path = join(temp(), 'key');
    writeFileSync(path, 'sk_ext_file\n');
    const env = { PARTNER_API_KEY: ' sk_ext_env\n', PARTNER_API_KEY_FILE: path };
    const given = (from: Environment) => [remote({}, from).key, remote({}, from).from.key];
    assert.deepEqual(given(env), ['sk_ext_env', 'PARTNER_API_KEY']);
    assert.deepEqual(given({ PARTNER_API_KEY_FILE: path }), ['sk_ext_file', 'PARTNER_API_KEY_FILE']);
    assert.deepEqual(given({}), ['sk_ext_acme', 'profile acme']);
  });

  it('of a profile goes to its own origin, whoever gave the address', () => {
    assert.equal(remote({ baseUrl }).key, 'sk_ext_acme');
    assert.equal(remote({}, { PARTNER_BASE_URL: 'https://ACME.example:443/v1' }).key, 'sk_ext_acme');
  });

  it('of a profile never goes to another origin, and the error says so without naming it', () => {
    const others = ['evil.example/v1', 'acme.example:8443/v1', 'acme.example.evil.example'];
    for (const other of ['http://acme.example/v1', ...others.map((host) => `https://${host}`)]) {
      for (const target of [
        remote({ baseUrl: other }),
        remote({}, { PARTNER_BASE_URL: other }),
        remote({ baseUrl: other, profile: 'acme' }),
      ]) {
        assert.equal(target.key, undefined);
        const says = /key of profile acme is for https:\/\/acme\.example and isn't sent to/;
        assert.throws(() => requireKey(target), partnerError('KEY_MISSING', says, /sk_ext/));
      }
    }
  });

  it('without any address is for a company of the bundled engine; where it is refused, the hint says why', () => {
    const target = resolve({}, { PARTNER_API_KEY: 'sk_ext_second_company' });
    const expected = ['embedded', 'sk_ext_second_company', 'PARTNER_API_KEY'];
    assert.deepEqual([target.kind, target.key, target.from.key], expected);
    assert.match(
      describeRefusedKey(target) ?? '',
      /bundled engine, which doesn't recognize the key from PARTNER_API_KEY\. Set a server with --base-url/,
    );
    assert.equal(describeRefusedKey(resolve()), undefined);
  });

  it('that a server has revoked is renewed in its profile and at its address, as the hint is typed', () => {
    const typed = (target: RemoteTarget) => /`(.+)`/.exec(describeRefusedKey(target) ?? '')?.[1];
    assert.equal(typed(remote()), 'partner auth login acme --base-url https://acme.example/v1');
    const lab = 'partner auth login lab --base-url http://lab.example:8080/v1 --allow-insecure';
    assert.equal(typed(remote({ profile: 'lab' })), lab);
    const env = { PARTNER_API_KEY: 'sk_ext_env' };
    assert.match(describeRefusedKey(remote({}, env)) ?? '', /^https:\/\/acme.*the key from PARTNER_API_KEY/);
  });

  it('that is no key is never sent, nor repeated', () => {
    const says = /^PARTNER_API_KEY doesn't contain a partner key/;
    const expected = partnerError('KEY_MISSING', says, /ghp/);
    assert.throws(() => resolve({}, { PARTNER_API_KEY: 'ghp_secret' }), expected);
  });
});

describe('the settings of a profile', () => {
  it('come with its server and no other: least of all the leave to send a key in the clear', () => {
    const settings = ({ limits, locationQueryParameter, allowInsecure }: RemoteTarget) => [
      limits,
      locationQueryParameter,
      allowInsecure,
    ];
    assert.deepEqual(settings(remote({ profile: 'lab' })), [NO_LIMITS, 'query', true]);
    const other = remote({ profile: 'lab', baseUrl: 'http://evil.example' });
    assert.deepEqual(settings(other), [LIMITS, undefined, false]);
  });
});

describe('how a server is spoken to', () => {
  const spoken = (flags: TargetFlags, env: Environment) => {
    const { caFile, proxy, timeoutMs, limits, locationQueryParameter } = remote(flags, env, profiles.one);
    return { caFile, proxy, timeoutMs, isLimited: limits === LIMITS, locationQueryParameter };
  };

  it('is as its profile says, unless the environment says otherwise, or a flag', () => {
    assert.deepEqual(spoken({}, {}), {
      caFile: '/acme.pem',
      proxy: 'http://proxy.example:3128',
      timeoutMs: 5000,
      isLimited: true,
      locationQueryParameter: undefined,
    });
    const env = {
      PARTNER_CA_FILE: '/other.pem',
      PARTNER_PROXY: 'http://other.example:1',
      PARTNER_TIMEOUT: '2m',
      PARTNER_LIMITS: 'none',
      PARTNER_LOCATION_QUERY_PARAMETER: 'text',
    };
    const fromEnv = {
      caFile: '/other.pem',
      proxy: 'http://other.example:1',
      timeoutMs: 120_000,
      isLimited: false,
      locationQueryParameter: 'text',
    };
    assert.deepEqual(spoken({}, env), fromEnv);
    const flags = { limits: 'ours', locationQueryParameter: 'name' };
    assert.deepEqual(spoken(flags, env), { ...fromEnv, isLimited: true, locationQueryParameter: 'name' });
  });

  for (const [name, value] of target.wrong as [string, string][])
    it(`is exit 2 that names ${name} where that is ${value}`, () =>
      assert.throws(() => spoken({}, { [name]: value }), partnerError('USAGE', new RegExp(name))));

  it('has what was learned of this very server, and no other', () => {
    assert.deepEqual(remote({}, {}, profiles.one).traits, { listsJobs: false });
    const other = remote({ baseUrl: 'https://acme.example/v2' }, {}, profiles.one);
    assert.deepEqual([other.traits, other.keptIn, other.key], [undefined, undefined, 'sk_ext_acme']);
  });
});
