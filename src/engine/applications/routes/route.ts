import type { Answer, EngineParts } from '../../parts.ts';

/** A candidate's request, as a route sees it: nobody says who they are. */
interface Visit {
  readonly request: Request;
  /** Whom it counts for; undefined for a request of this process. */
  readonly sender: string | undefined;
  /** The `:id` of the path as it was sent. */
  readonly id: string | undefined;
  readonly query: URLSearchParams;
}

/** Throws a PartnerError for everything the candidate is told. */
export type CandidateRoute = (visit: Visit, engine: EngineParts) => Promise<Answer>;
