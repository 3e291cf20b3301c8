import { execFile } from 'node:child_process';
import { PartnerError } from '../../contract/errors.ts';
import { withoutPassword } from '../../contract/outside-text.ts';
import type { SharedPlace } from './shared-state.ts';

/** Runs no hook and no clean-up in the user's repository, and asks no question. */
const CONFIG = ['core.hooksPath=/dev/null', 'gc.auto=0', 'maintenance.auto=false', 'user.name=partner']
  .concat('user.email=partner@localhost')
  .flatMap((setting) => ['-c', setting]);
const PUSH = ['push', '--quiet', '--no-verify', '--no-signed', '--no-follow-tags', '--no-recurse-submodules'];
const FETCH = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules'];

/**
 * `git:BRANCH` or `git:BRANCH?remote=NAME`, in the repository of `directory`. While a run holds the lock, the branch has one
 * commit on top of the base that the run found. Each write replaces it; a run that changed nothing goes back to the base.
 */
export function gitBranch(name: string, directory: string, timeoutMs: number): SharedPlace {
  const [, branch, remote = 'origin'] = /^git:([^?]+)(?:\?remote=(\w[\w./-]*))?$/.exec(name) ?? [];
  if (branch === undefined)
    throw new PartnerError('USAGE', { message: `write ${name} like git:partner-state` });
  const ref = `refs/heads/${branch}`;
  let base: { readonly commit: string; readonly tree: string } | undefined;

  const git = (args: readonly string[], input = '') =>
    new Promise<{ code: number | string; out: string; said: string }>((resolve) => {
      const env = { ...process.env, GIT_TERMINAL_PROMPT: '0' };
      const options = { cwd: directory, env, timeout: timeoutMs, maxBuffer: 2 ** 30 };
      const child = execFile('git', [...CONFIG, ...args], options, (error, out, stderr) => {
        const late = error?.killed && `no answer within ${timeoutMs / 1000} s`;
        const said = late || withoutPassword(stderr.trim() || String(error?.message)).replaceAll('\n', ' ');
        resolve({ code: error ? (error.code ?? 'killed') : 0, out, said });
      });
      child.stdin?.on('error', () => {}).end(input);
    });

  const unreachable = (said: string): PartnerError =>
    new PartnerError('STATE_UNREACHABLE', { message: `Can't reach ${name} on ${remote}: ${said}` });

  const locally = async (args: readonly string[], input?: string): Promise<string> => {
    const { code, out, said } = await git(args, input);
    if (code === 0) return out;
    const message = `Can't use ${name}: ${code === 'ENOENT' ? "git isn't installed" : said}`;
    throw new PartnerError('STATE_UNUSABLE', { message, hint: 'run it in a checkout of the repository' });
  };

  const tipOf = async (): Promise<string | undefined> => {
    const { code, out, said } = await git(['ls-remote', remote, ref]);
    if (code !== 0) throw unreachable(said);
    const rows = out.split('\n').map((row) => row.split('\t'));
    return rows.find(([, listed]) => listed === ref)?.[0];
  };

  return {
    name,
    async read() {
      for (let [reads, said] = [0, '']; ; reads++) {
        const version = await tipOf();
        base = undefined;
        if (version === undefined) return { version, documents: {} };
        const tree = await git(['rev-parse', '--verify', '--quiet', `${version}^{tree}`]);
        if (tree.code === 0) {
          base = { commit: version, tree: tree.out };
          const entries = (await locally(['ls-tree', version])).matchAll(/^\d+ blob (\w+)\t(.+)$/gm);
          const documents: Record<string, string> = {};
          for (const [, blob = '', file = ''] of entries)
            documents[file] = await locally(['cat-file', 'blob', blob]);
          return { version, documents };
        }
        if (reads === 10) throw unreachable(said);
        // A full repository must not become shallow.
        const isShallow = (await locally(['rev-parse', '--is-shallow-repository'])) === 'true\n';
        // It fails too if another process fetches at the same moment, or if the branch has moved on.
        const how = isShallow ? ['--depth=1'] : [];
        said = (await git([...FETCH, ...how, remote, `+${ref}:refs/partner/${branch}`])).said;
      }
    },
    async replace(version, documents, summary) {
      let entries = '';
      for (const [file, text] of Object.entries(documents)) {
        if (text === undefined) continue;
        entries += `100644 blob ${(await locally(['hash-object', '-w', '--stdin'], text)).trim()}\t${file}\n`;
      }
      const tree = await locally(['mktree'], entries);
      const on = base === undefined ? [] : ['-p', base.commit];
      const isUnchanged = tree === base?.tree;
      const made = isUnchanged
        ? base?.commit
        : await locally(['commit-tree', tree.trim(), ...on, '-m', summary]);
      const commit = made?.trim();
      const lease = `--force-with-lease=${ref}:${version ?? ''}`;
      const { code, said } = await git([...PUSH, lease, remote, `${commit}:${ref}`]);
      const tip = code === 0 ? commit : await tipOf();
      if (tip !== commit && tip === version) throw unreachable(said);
      return tip === commit ? tip : undefined;
    },
  };
}
