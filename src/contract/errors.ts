import table from './errors.json' with { type: 'json' };

/** Exit codes that are no error of one call. */
export const EXIT = { done: 0, someFailed: 9, somethingToDo: 10, allFailed: 11, interrupted: 130 } as const;

export interface ErrorRow {
  /** The HTTP status the engine answers with; none where only a client can meet the error. */
  readonly status?: number;
  readonly exit: number;
  readonly message: string;
  readonly next?: string;
}

/**
 * Errors from section 7, errors that a server adds (decisions 14, 15, 17, 21 and 27), and errors that occur before
 * a server is reached. The last group has no status.
 */
export const ERRORS = { ...table.specified, ...table.added, ...table.met } satisfies Record<string, ErrorRow>;

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

/** Codes from section 7. Every other code is a decision of this project. */
export function isSpecified(code: ErrorCode): boolean {
  return Object.hasOwn(table.specified, code);
}

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
}

/** Section 2.7. */
export function errorBody({ code, message, fields }: PartnerError) {
  return { error: { code, message, ...(fields === undefined ? {} : { fields }) } };
}
