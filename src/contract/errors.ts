/** Exit codes that are no error of one call. */
export const EXIT = { done: 0, someFailed: 9, somethingToDo: 10, allFailed: 11, interrupted: 130 } as const;

export interface ErrorRow {
  /** The HTTP status the engine answers with; none where only a client can meet the error. */
  readonly status?: number;
  readonly exit: number;
  readonly message: string;
  readonly next?: string;
}

/** Section 7 and decisions 14, 15, 17, 21 and 27; errors without a status are met on the way to a server. */
export const ERRORS = {
  // Answered by a server: section 7.
  INVALID_SERVICE_KEY: {
    status: 401,
    exit: 4,
    message: 'the partner key is missing, unknown or revoked',
    next: 'log in with `partner auth login`, or set PARTNER_API_KEY; `partner auth status` says which key is used',
  },
  PAYMENT_METHOD_REQUIRED: {
    status: 402,
    exit: 5,
    message: 'publishing needs a payment card, and none is on file',
    next: "add a card in the dashboard's Billing tab, then publish again",
  },
  NOT_FOUND: {
    status: 404,
    exit: 7,
    message: 'there is no such job',
    next: '`partner jobs list` shows the jobs of your company',
  },
  AGREEMENT_OUTDATED: {
    status: 409,
    exit: 5,
    message: 'publishing needs the current employer terms to be accepted, and they are not',
    next: 'accept the terms in the dashboard, then publish again',
  },
  JOB_FROZEN: {
    status: 409,
    exit: 6,
    message: 'the job has applications: its qualifications and questions can no longer change',
    next: 'leave both out of the update; every other field can still change',
  },
  VALIDATION_FAILED: { status: 422, exit: 3, message: 'the input is invalid' },
  INVALID_TRANSITION: {
    status: 409,
    exit: 6,
    message: "the job's state does not allow this",
    next: '`partner jobs get ID` shows the state; `partner jobs repost ID` makes a new job of a closed or expired one',
  },
  // Answered by a server: our decisions.
  FORBIDDEN: {
    status: 403,
    exit: 4,
    message: 'the server refuses this key',
    next: '`partner auth status` says which key is used and where it comes from',
  },
  METHOD_NOT_ALLOWED: { status: 405, exit: 1, message: 'the address exists, but not for this method' },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    exit: 6,
    message: 'this idempotency key was already used for another request',
    next: 'use a new key for a new request',
  },
  ALREADY_APPLIED: {
    status: 409,
    exit: 6,
    message: 'the candidate has already applied to this job',
    next: 'one application for each email address and job is taken',
  },
  PAYLOAD_TOO_LARGE: { status: 413, exit: 3, message: 'the request is larger than 1 MiB' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, exit: 1, message: 'the body must be application/json' },
  BAD_REQUEST: { status: 400, exit: 1, message: 'the server does not understand the request as HTTP' },
  REQUEST_TIMEOUT: {
    status: 408,
    exit: 8,
    message: 'the request was not sent in time',
    next: 'check the network, and try again',
  },
  EXPECTATION_FAILED: { status: 417, exit: 1, message: 'the server cannot do what Expect asks for' },
  HEADERS_TOO_LARGE: { status: 431, exit: 3, message: "the request's address and headers are too long" },
  RATE_LIMITED: { status: 429, exit: 8, message: 'too many requests', next: 'wait a moment and try again' },
  WAIT_TOO_LONG: {
    exit: 8,
    message: 'the server asks for a longer wait than --max-wait allows',
    next: 'run it again later, or allow a longer wait with --max-wait',
  },
  INTERNAL: {
    status: 500,
    exit: 1,
    message: 'the server met an unexpected error',
    next: 'try again; if it persists, tell the operator of the server',
  },
  UNAVAILABLE: {
    status: 503,
    exit: 1,
    message: 'the server cannot reach or write its database at the moment',
    next: 'try again later; if it persists, tell the operator of the server: its log names the cause',
  },
  // Met on the way.
  USAGE: { exit: 2, message: 'the command cannot be understood' },
  INPUT_REQUIRED: { exit: 2, message: 'an answer is needed, and there is no terminal to ask on' },
  FILE_UNREADABLE: {
    exit: 2,
    message: 'the file cannot be read',
    next: 'check the path and its permissions',
  },
  CONFIG_UNREADABLE: { exit: 2, message: 'the configuration cannot be read' },
  DATABASE_UNUSABLE: { exit: 2, message: "the bundled engine's database cannot be used" },
  LINK_REFUSED: {
    exit: 2,
    message: "one of partner's own files is a symbolic link, and is not followed",
    next: 'look where it leads with `ls -l`, then remove the link, or put the file itself in its place',
  },
  STATE_UNUSABLE: {
    exit: 2,
    message: 'the state of `apply` cannot be used',
    next: 'restore the file from version control or a backup, or rebuild it with `partner jobs apply --rebuild`',
  },
  JOURNAL_UNWRITABLE: {
    exit: 2,
    message: 'the journal cannot be written: the call was not made',
    next: 'make room on the disk and run it again: what was done before is recorded',
  },
  STATE_LOCKED: {
    exit: 6,
    message: 'another apply is running on this state',
    next: 'wait until it has ended, then run it again',
  },
  PLAN_OUTDATED: {
    exit: 6,
    message: 'the saved plan is outdated; nothing was sent',
    next: 'plan again with `partner jobs plan --out FILE`, read it, and apply that',
  },
  JOBS_ALREADY_THERE: {
    exit: 6,
    message:
      'the server has jobs with the content of these listings, and no state knows them; nothing was sent',
    next: 'adopt them with --rebuild, or create further jobs with --create-anyway',
  },
  INSECURE_BASE_URL: {
    exit: 2,
    message: 'the key would go over plain http to another machine',
    next: 'use https, or add --allow-insecure if you know the network',
  },
  FILE_INVALID: { exit: 3, message: 'the content of the file is invalid' },
  PLACE_AMBIGUOUS: { exit: 3, message: 'more than one place is called that' },
  PLACE_UNKNOWN: { exit: 3, message: 'no place is called that' },
  KEY_MISSING: {
    exit: 4,
    message: 'there is no key for this server',
    next: 'log in with `partner auth login`, or set PARTNER_API_KEY',
  },
  OPERATION_NOT_OFFERED: { exit: 1, message: 'this server does not offer the operation' },
  ANSWER_UNREADABLE: {
    exit: 1,
    message: "the answer is not the contract's",
    next: 'check --base-url: something other than the API may be answering; --debug shows the answer',
  },
  SERVER_FAILED: {
    exit: 1,
    message: 'the server failed, also after retries',
    next: 'try again later; --debug shows the answers',
  },
  UNREACHABLE: {
    exit: 8,
    message: 'the server cannot be reached',
    next: 'check --base-url and the network; `partner doctor` tests both',
  },
  TIMED_OUT: {
    exit: 8,
    message: 'the call took too long',
    next: 'give it longer with --timeout 2m, or try again',
  },
  OUTCOME_UNKNOWN: {
    exit: 8,
    message: 'the connection broke after the request was sent: the job may or may not exist now',
    next: 'look for it with `partner jobs list` before you create it again',
  },
  SOME_FAILED: { exit: EXIT.someFailed, message: 'some of it failed; the rest is done' },
  ALL_FAILED: { exit: EXIT.allFailed, message: 'all of it failed' },
  INTERRUPTED: { exit: EXIT.interrupted, message: 'interrupted' },
  OUTPUT_UNWRITABLE: {
    exit: 1,
    message: 'the output cannot be written',
    next: 'check where stdout and stderr go: to a full disk, or a device that is gone?',
  },
  UNEXPECTED: {
    exit: 1,
    message: 'this is a bug in partner',
    next: 'please send the report below; it holds no key',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

/** So that `next` is optional, which the literal types hide. */
export function errorRow(code: ErrorCode): ErrorRow {
  return ERRORS[code];
}

/**
 * The refusals of a create's content: a server that honours keys answers them only where no attempt under the key has
 * made the job. Any other refusal says nothing of earlier attempts.
 */
export const CONTENT_REFUSALS: readonly ErrorCode[] = [
  'VALIDATION_FAILED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'PAYMENT_METHOD_REQUIRED',
  'AGREEMENT_OUTDATED',
];

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}

export interface ErrorDetails {
  readonly message?: string | undefined;
  readonly fields?: Readonly<Record<string, string>> | undefined;
  readonly status?: number | undefined;
  readonly hint?: string | undefined;
  /** The code as the server spelled it, where the table does not know it. */
  readonly serverCode?: string | undefined;
  /** The job of a create may exist although it ended in this error. */
  readonly mayHaveCreated?: boolean | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** An error of the closed table. Nothing else decides an exit code or an HTTP status. */
export class PartnerError extends Error {
  override readonly name = 'PartnerError';
  readonly code: ErrorCode;
  readonly fields: Readonly<Record<string, string>> | undefined;
  readonly status: number | undefined;
  readonly hint: string | undefined;
  readonly serverCode: string | undefined;
  readonly mayHaveCreated: boolean;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    super(
      details.message ?? ERRORS[code].message,
      details.cause === undefined ? {} : { cause: details.cause },
    );
    this.code = code;
    this.fields = details.fields;
    this.status = details.status;
    this.hint = details.hint ?? errorRow(code).next;
    this.serverCode = details.serverCode;
    this.mayHaveCreated = details.mayHaveCreated ?? false;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }

  get exit(): number {
    return ERRORS[this.code].exit;
  }

  with(details: ErrorDetails): PartnerError {
    const { message, cause } = this;
    return new PartnerError(this.code, { ...this, message, cause, ...details });
  }

  withHint(hint: string): PartnerError {
    return this.with({ hint });
  }
}

/** Section 2.7. */
export function errorBody({ code, message, fields }: PartnerError) {
  return { error: { code, message, ...(fields === undefined ? {} : { fields }) } };
}
