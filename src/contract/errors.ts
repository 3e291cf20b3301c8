import table from './errors.json' with { type: 'json' };
import { withoutUndefined } from './values.ts';

export const EXIT = { done: 0, someFailed: 9, somethingToDo: 10, allFailed: 11, interrupted: 130 } as const;

export interface ErrorRow {
  /** HTTP status of the engine's response. Undefined for errors that only a client can get. */
  readonly status?: number;
  readonly exit: number;
  readonly message: string;
  readonly next?: string;
  /** True for errors of every operation (section 4, decisions 14 and 15), and errors before a request reaches one. */
  readonly isCommon?: boolean;
  /** True for refusals of a create's content. */
  readonly refusesContent?: boolean;
  /** Additional headers of the engine's response. */
  readonly headers?: readonly string[];
}

/** Errors from section 7, and those that a server or the client adds (decisions 14, 15, 17, 21 and 27). */
export const ERRORS = { ...table.specified, ...table.added, ...table.met } satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

export function errorRow(code: ErrorCode): ErrorRow {
  return ERRORS[code];
}

const CODES = Object.keys(ERRORS) as ErrorCode[];

export const COMMON_ERRORS = CODES.filter((code) => errorRow(code).isCommon);

/** A server that honors keys returns these only if no attempt created the job. Any other 4xx doesn't prove that. */
export const CONTENT_REFUSALS = CODES.filter((code) => errorRow(code).refusesContent);

/** True for codes from section 7. Other codes are decisions of this project. */
export function isSpecified(code: ErrorCode): boolean {
  return Object.hasOwn(table.specified, code);
}

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}

type DetailName = Exclude<keyof PartnerError, 'name' | 'stack' | 'code' | 'exit' | 'with'>;

export type ErrorDetails = { readonly [Name in DetailName]?: PartnerError[Name] | undefined };

export class PartnerError extends Error {
  override readonly name = 'PartnerError';
  readonly fields: Readonly<Record<string, string>> | undefined;
  readonly status: number | undefined;
  readonly hint: string | undefined;
  readonly serverCode: string | undefined;
  readonly mayHaveCreated: boolean;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly code: ErrorCode,
    details: ErrorDetails = {},
  ) {
    const { cause, message = ERRORS[code].message } = details;
    super(message, cause === undefined ? {} : { cause });
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

/** Returns a `catch` handler that ignores errors with these codes, or every PartnerError. It throws other errors. */
export function ignoreErrors(...codes: readonly ErrorCode[]) {
  return (error: unknown): undefined => {
    const isIgnored = error instanceof PartnerError && (codes.length === 0 || codes.includes(error.code));
    if (!isIgnored) throw error;
  };
}

/** Returns the first `max` of an error's fields, and the number of the others. */
export function clipFields(named: readonly (readonly [name: string, text: string])[], max: number) {
  const shown = Object.fromEntries(named.slice(0, max));
  return named.length > max ? { ...shown, '…': `and ${named.length - max} more` } : shown;
}

/** Builds the body of an error response (docs/service.md, section 2.7). */
export function errorBody({ code, message, fields }: PartnerError) {
  return { error: withoutUndefined({ code, message, fields }) };
}

/** Formats an error for `--json` and reports. `code` is the server's code if errors.json doesn't contain it. */
export function errorJson({ code, serverCode = code, message, fields, status, hint }: PartnerError) {
  return { error: withoutUndefined({ code: serverCode, message, fields, status, hint }) };
}
