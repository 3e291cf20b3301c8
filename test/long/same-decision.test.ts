import { sameDecisionSuite } from '../listings/places/same-decision.ts';

sameDecisionSuite(20_000);
