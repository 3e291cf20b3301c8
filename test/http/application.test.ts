import { openApplication } from './application.ts';
import { specification } from './specification.ts';

specification('through the application value', openApplication);
