/** A step of a workflow or of a composite action that runs a script. */
export interface ScriptStep {
  /** '' in an action. */
  readonly job: string;
  readonly name: string;
  readonly script: string;
  /** Of its own, as they are written: `${{ inputs.paths }}`. */
  readonly env: Readonly<Record<string, string>>;
}

/** The steps of a workflow or an action that run something, in their order. */
export function scriptSteps(text: string): ScriptStep[] {
  const lines = text.split('\n');
  const steps: ScriptStep[] = [];
  let [job, name] = ['', ''];
  let env: Record<string, string> = {};
  for (const [at, line] of lines.entries()) {
    job = /^ {2}([\w-]+):$/.exec(line)?.[1] ?? job;
    if (/^ +- /.test(line)) [name, env] = [/^ +- name: (.*)$/.exec(line)?.[1] ?? '', {}];
    const [, key, value] = /^ +([A-Z_]+): (.*)$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) env[key] = value;
    const [, indent = '', run] = /^( +)run: (.*)$/.exec(line) ?? [];
    if (run === undefined) continue;
    const script = run === '|' ? block(lines, at + 1, indent.length + 2) : `${run}\n`;
    steps.push({ job: indent.length === 8 ? job : '', name, script, env });
  }
  return steps;
}

/** What a workflow sets for all of its jobs. */
export function workflowEnv(text: string): Readonly<Record<string, string>> {
  const [, lines = ''] = /^env:\n((?: {2}.*\n)+)/m.exec(text) ?? [];
  return Object.fromEntries(
    [...lines.matchAll(/^ {2}([A-Z_]+): (.*)$/gm)].map(([, name, value]) => [name, value]),
  );
}

function block(lines: readonly string[], from: number, indent: number): string {
  const end = lines.findIndex(
    (line, at) => at >= from && line !== '' && !line.startsWith(' '.repeat(indent)),
  );
  const inside = lines.slice(from, end === -1 ? undefined : end);
  return inside.map((line) => `${line.slice(indent)}\n`).join('');
}
