/** Every question of the form, in its order. */
export const ALL_ASKED = [
  ...[
    'title',
    'description',
    'remoteOption',
    'locations',
    'jobType',
    'jobLevel',
    'salaryPeriod',
    'salaryMin',
  ],
  ...['salaryMax', 'bid', 'required', 'desired', 'questions', 'budgets', 'opportunityId', 'atsJobUrl'],
];
