import { mutatedFilesSuite } from '../listings/mutations.ts';

mutatedFilesSuite(25_000, 2_026);
