import { PartnerError } from './errors.ts';

/** A longer chain of causes leads back to itself. */
const CAUSES_MAX = 5;

/** The stack of an error and those of its causes, each a text of several lines. */
export function stacksOf(error: unknown): string[] {
  const stacks = [stackOf(error)];
  for (let last = error; last instanceof Error && last.cause !== undefined; last = last.cause) {
    if (stacks.length > CAUSES_MAX) break;
    stacks.push(`caused by:\n${stackOf(last.cause)}`);
  }
  return stacks;
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return `thrown: ${String(error)}`;
  return error.stack ?? `${error.name}: ${error.message}`;
}

/** What an operator needs of a fault: an error of the table explains itself, any other has its stacks. */
export function reportOf(fault: unknown): string {
  return fault instanceof PartnerError ? fault.message : stacksOf(fault).join('\n');
}
