import * as Flags from '@oclif/core/flags';

/** Which company of the bundled engine is meant; without it, the one made on first use. */
export const companyFlag = {
  company: Flags.string({
    helpValue: 'ID',
    description: 'The company; without it the one made on first use',
  }),
};
