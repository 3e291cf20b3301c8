import { sameDecisionSuite } from './same-decision.ts';

sameDecisionSuite(80);
