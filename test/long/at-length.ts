// Loaded before the tests of `npm run test:long`.
process.env.PARTNER_TEST_AT_LENGTH = 'yes';
