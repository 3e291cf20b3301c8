import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Home } from './partner.ts';

export interface Finding {
  readonly index: number;
  readonly line: number;
  readonly column: number;
  readonly field: string;
  readonly level: 'error' | 'warning';
  readonly message: string;
  readonly hint?: string;
}

export interface Refused {
  readonly code: string;
  readonly message: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly hint?: string;
}

export async function foundBy(home: Home, file: string): Promise<Finding[]> {
  const run = await home.run(['jobs', 'validate', file, '--json']);
  assert.equal(run.code, 3, `validate took it: ${run.stdout}${run.stderr}`);
  const { findings } = run.json() as { findings: Finding[] };
  return findings.filter(({ level }) => level === 'error');
}

export async function refusedBy(home: Home, file: string, exit = 3): Promise<Refused> {
  const run = await home.run(['jobs', 'create', file, '--json']);
  assert.equal(run.code, exit, `create took it: ${run.stdout}${run.stderr}`);
  assert.equal(home.storedJobs(), 0, 'something was stored');
  return (run.json() as { error: Refused }).error;
}

export async function textAt(file: string, { line, column }: Finding): Promise<string> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  return [...(lines[line - 1] ?? '')].slice(column - 1).join('');
}
