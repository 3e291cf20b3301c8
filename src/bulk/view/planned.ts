/** One field that a plan changes: `from` is what the server has. */
export interface PlannedChange {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

export interface PlannedNote {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** A listing that is left as it is, and what is to be known of it. */
export interface PlannedNotice {
  readonly key: string;
  /** Undefined where the job is yet to be made. */
  readonly jobId: number | undefined;
  readonly status: string | undefined;
  readonly changes: readonly PlannedChange[];
  readonly notes: readonly PlannedNote[];
}

export type PlannedAction = 'create' | 'update' | 'publish' | 'close' | 'record' | 'settle' | 'held';

/** What is to be done with a listing. */
export interface PlannedItem extends PlannedNotice {
  readonly action: PlannedAction;
  /** Whether the job goes live too. */
  readonly publish: boolean;
}

/** A plan as its view sees it: `ui` knows nothing of how one is made. */
export interface Planned {
  readonly items: readonly PlannedItem[];
  readonly notices: readonly PlannedNotice[];
}

/** A place given as text, and what it was taken for. */
export interface ResolvedPlace {
  readonly text: string;
  readonly displayName: string;
  readonly locationId: number;
}
