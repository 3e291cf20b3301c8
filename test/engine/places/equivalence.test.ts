import { equivalenceSuite } from './equivalence.ts';

// More of them are in test/long.
equivalenceSuite(25);
