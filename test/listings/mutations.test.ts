import { mutatedFilesSuite } from './mutations.ts';

mutatedFilesSuite(1_000);
