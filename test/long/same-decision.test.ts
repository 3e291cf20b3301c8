import { sameDecisionSuite } from '../listings/places/same-decision.ts';

sameDecisionSuite(3_000);
