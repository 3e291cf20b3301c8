/** A step of a workflow that runs a script. */
export interface ScriptStep {
  readonly job: string;
  readonly name: string;
  readonly script: string;
}

/**
 * The steps of a workflow that run something, in their order. No YAML reader, but one for the form that our
 * example has: two spaces a level, `name` before `run`, a script on the line of its `run` or in a `|` block.
 */
export function scriptSteps(workflow: string): ScriptStep[] {
  const lines = workflow.split('\n');
  const steps: ScriptStep[] = [];
  let [job, name] = ['', ''];
  for (const [at, line] of lines.entries()) {
    job = /^ {2}([\w-]+):$/.exec(line)?.[1] ?? job;
    if (line.startsWith('      - ')) name = /^ {6}- name: (.*)$/.exec(line)?.[1] ?? '';
    const [, run] = /^ {8}run: (.*)$/.exec(line) ?? [];
    if (run !== undefined) steps.push({ job, name, script: run === '|' ? block(lines, at + 1) : `${run}\n` });
  }
  return steps;
}

function block(lines: readonly string[], from: number): string {
  const end = lines.findIndex((line, at) => at >= from && line !== '' && !line.startsWith(' '.repeat(10)));
  const inside = lines.slice(from, end === -1 ? undefined : end);
  return inside.map((line) => `${line.slice(10)}\n`).join('');
}
