import { DATABASE_KINDS } from '../engine/store/dialects.ts';
import { openApplication } from './application.ts';
import { specification } from './specification.ts';

for (const kind of DATABASE_KINDS)
  specification(`through the application value, on ${kind}`, () => openApplication(kind));
