/** The style of every page of the dashboard. */
export const STYLE = '';
