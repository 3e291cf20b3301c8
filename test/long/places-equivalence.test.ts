import { equivalenceSuite } from '../engine/places/equivalence.ts';

equivalenceSuite(500);
