import { overBillingSuite } from '../engine/applications/over-billing.ts';

overBillingSuite(500);
