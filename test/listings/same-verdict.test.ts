import { sameVerdictSuite } from './same-verdict.ts';

sameVerdictSuite(300);
