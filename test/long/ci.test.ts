import { ciSuite } from '../examples/ci-suite.ts';

ciSuite(true);
