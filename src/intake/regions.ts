/** The codes written for states, provinces and territories behind a place's name; some stand for two. */
const REGION_CODES: Readonly<Record<string, readonly string[]>> = {
  ab: ['Alberta'],
  act: ['Australian Capital Territory'],
  ak: ['Alaska'],
  al: ['Alabama'],
  ar: ['Arkansas'],
  az: ['Arizona'],
  bc: ['British Columbia'],
  ca: ['California'],
  co: ['Colorado'],
  ct: ['Connecticut'],
  dc: ['District of Columbia'],
  de: ['Delaware'],
  fl: ['Florida'],
  ga: ['Georgia'],
  hi: ['Hawaii'],
  ia: ['Iowa'],
  id: ['Idaho'],
  il: ['Illinois'],
  in: ['Indiana'],
  ks: ['Kansas'],
  ky: ['Kentucky'],
  la: ['Louisiana'],
  ma: ['Massachusetts'],
  mb: ['Manitoba'],
  md: ['Maryland'],
  me: ['Maine'],
  mi: ['Michigan'],
  mn: ['Minnesota'],
  mo: ['Missouri'],
  ms: ['Mississippi'],
  mt: ['Montana'],
  nb: ['New Brunswick'],
  nc: ['North Carolina'],
  nd: ['North Dakota'],
  ne: ['Nebraska'],
  nh: ['New Hampshire'],
  nj: ['New Jersey'],
  nl: ['Newfoundland and Labrador'],
  nm: ['New Mexico'],
  ns: ['Nova Scotia'],
  nsw: ['New South Wales'],
  nt: ['Northwest Territories', 'Northern Territory'],
  nu: ['Nunavut'],
  nv: ['Nevada'],
  ny: ['New York'],
  oh: ['Ohio'],
  ok: ['Oklahoma'],
  on: ['Ontario'],
  or: ['Oregon'],
  pa: ['Pennsylvania'],
  pe: ['Prince Edward Island'],
  pei: ['Prince Edward Island'],
  qc: ['Quebec'],
  qld: ['Queensland'],
  ri: ['Rhode Island'],
  sa: ['South Australia'],
  sc: ['South Carolina'],
  sd: ['South Dakota'],
  sk: ['Saskatchewan'],
  tas: ['Tasmania'],
  tn: ['Tennessee'],
  tx: ['Texas'],
  ut: ['Utah'],
  va: ['Virginia'],
  vic: ['Victoria'],
  vt: ['Vermont'],
  wa: ['Washington', 'Western Australia'],
  wi: ['Wisconsin'],
  wv: ['West Virginia'],
  wy: ['Wyoming'],
  yt: ['Yukon'],
};

/** How countries are written where neither their name nor their two-letter code is. */
const COUNTRY_NICKNAMES: Readonly<Record<string, string>> = {
  america: 'US',
  'great britain': 'GB',
  holland: 'NL',
  uae: 'AE',
  uk: 'GB',
  usa: 'US',
};

/** The states, provinces and territories that a code like `tx` stands for, folded. */
export function regionsCoded(code: string): string[] {
  return (Object.hasOwn(REGION_CODES, code) ? (REGION_CODES[code] ?? []) : []).map(folded);
}

/** The country that a two-letter code or a nickname stands for, folded; undefined for anything else. */
export function countryCalled(text: string): string | undefined {
  const code = Object.hasOwn(COUNTRY_NICKNAMES, text) ? COUNTRY_NICKNAMES[text] : text;
  return code !== undefined && /^[a-z]{2}$/i.test(code) ? countryNamer()(code.toUpperCase()) : undefined;
}

/** True for the name or the code of a country, or of one of the states, provinces and territories above. */
export function isRegion(text: string): boolean {
  if (Object.hasOwn(REGION_CODES, text) || countryCalled(text) !== undefined) return true;
  return Object.keys(REGION_CODES).some((code) => regionsCoded(code).includes(text)) || isCountry(text);
}

function isCountry(name: string): boolean {
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
  const nameOf = countryNamer();
  return letters.some((first) => letters.some((second) => nameOf(first + second) === name));
}

/** Gives the folded English name of an ISO 3166-1 code. */
function countryNamer(): (code: string) => string | undefined {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return (code) => {
    const name = names.of(code);
    return name === undefined ? undefined : folded(name);
  };
}

const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
};
const ABBREVIATIONS: Readonly<Record<string, string>> = { st: 'saint', ft: 'fort', mt: 'mount' };

/** The name of a place or region without case, diacritics, punctuation and the usual abbreviations. */
export function folded(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[ßøłđæœı]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/['’.]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/\b(?:st|ft|mt)(?= )/g, (word) => ABBREVIATIONS[word] ?? word);
}
