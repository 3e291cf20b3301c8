import { mutatedFilesSuite } from '../intake/mutations.ts';

mutatedFilesSuite(25_000, 2_026);
