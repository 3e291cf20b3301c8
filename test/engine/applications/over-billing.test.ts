import { overBillingSuite } from './over-billing.ts';

// More of them are in test/long.
overBillingSuite(25);
