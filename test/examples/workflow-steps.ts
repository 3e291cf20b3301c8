import { parse } from 'yaml';

/** A step of a workflow or of a composite action that runs a script. */
export interface ScriptStep {
  /** '' in an action. */
  readonly job: string;
  readonly name: string;
  readonly script: string;
  /** Of its own, as they are written: `${{ inputs.paths }}`. */
  readonly env: Readonly<Record<string, string>>;
}

interface Steps {
  readonly steps: readonly { name?: string; run?: string; env?: ScriptStep['env'] }[];
}

/** The steps of a workflow or an action that run something, in their order. */
export function scriptSteps(text: string): ScriptStep[] {
  const { runs, jobs = { '': runs } } = parse(text) as { runs: Steps; jobs?: Record<string, Steps> };
  return Object.entries(jobs).flatMap(([job, { steps }]) =>
    steps.flatMap(({ name = '', run, env = {} }) =>
      run === undefined ? [] : { job, name, script: run, env },
    ),
  );
}

/** What a workflow sets for all of its jobs. */
export function workflowEnv(text: string): Readonly<Record<string, string>> {
  return parse(text).env;
}
