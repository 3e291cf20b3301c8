import { destination } from '../../cli/settings/destination.ts';
import { directories, type Environment } from '../../cli/settings/directories.ts';
import { loadProfiles } from '../../cli/settings/profiles.ts';
import { PartnerError } from '../../contract/errors.ts';

/** Where the calls of later command lines go, unless a flag says otherwise. */
export interface WhereCallsGo {
  /** Null where they are refused. */
  readonly target: 'embedded' | 'remote' | null;
  readonly baseUrl: string | null;
  readonly sentence: string;
}

/** Where calls go from now on, once the profiles have changed. */
export function whereCallsGo(env: Environment): WhereCallsGo {
  try {
    const { baseUrl, bundledBy } = destination({
      flags: {},
      env,
      profiles: loadProfiles(directories(env).config),
    });
    if (baseUrl !== undefined) {
      const sentence = `Calls go to ${baseUrl.value} now (${baseUrl.from})`;
      return { target: 'remote', baseUrl: baseUrl.value, sentence };
    }
    const by = bundledBy === undefined ? '' : ` (${bundledBy})`;
    return { target: 'embedded', baseUrl: null, sentence: `Calls go to the bundled engine now${by}` };
  } catch (error) {
    if (!(error instanceof PartnerError)) throw error;
    return { target: null, baseUrl: null, sentence: `Calls are refused now: ${error.message}` };
  }
}
