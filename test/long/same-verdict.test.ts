import { sameVerdictSuite } from '../intake/same-verdict.ts';

sameVerdictSuite(10_000);
