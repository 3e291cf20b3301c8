/** How often something is tried in `npm test`, and how often in `npm run test:long`. */
export function times(often: number, oftenAtLength: number): number {
  return process.env.PARTNER_TEST_AT_LENGTH === undefined ? often : oftenAtLength;
}
