/** Exit codes that are no error of one call: see the table in `docs/errors.md`. */
export const EXIT = { done: 0, someFailed: 9, somethingToDo: 10, allFailed: 11, interrupted: 130 } as const;

/** What each exit code means, as `docs/errors.md` says it. */
export const EXIT_MEANINGS: Readonly<Record<number, string>> = {
  0: 'done',
  1: "unexpected: a bug, an answer that is not the contract's, or a server's 5xx after retries",
  2: 'usage: unknown flag or argument, unreadable file, a question that had to be asked without a terminal',
  3: "the input is invalid or the listing incomplete (found here or by the server's 422)",
  4: 'no key, or the server refuses it (401, 403)',
  5: 'a person must act in the dashboard first: add a card, or accept the terms',
  6: "the job's state forbids it, an idempotency key was used twice, or another `apply` is running",
  7: 'no such job',
  8: 'the server cannot be reached, stays rate-limited, or the outcome of a create is unknown',
  9: 'some of a batch failed, the rest is done',
  10: '`jobs plan --exit-code` found something to do, or `--fail-on-drift` edits made on the server',
  11: 'all of a batch failed',
  130: 'interrupted (Ctrl-C); what was done is recorded',
};
