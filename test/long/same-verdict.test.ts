import { sameVerdictSuite } from '../listings/same-verdict.ts';

sameVerdictSuite(10_000);
