/**
 * How people write the countries and their regions: facts that are neither in GeoNames nor cheap to have of
 * Node, whose first `Intl.DisplayNames` costs 15 ms, as much as the rest of a small command. A region is named
 * as in GeoNames, which numbers most of them.
 */

/** ISO 3166-1 alpha-2 and alpha-3, then the English name. */
const COUNTRIES = `
AD AND Andorra; AE ARE United Arab Emirates; AF AFG Afghanistan; AG ATG Antigua & Barbuda; AI AIA Anguilla
AL ALB Albania; AM ARM Armenia; AO AGO Angola; AQ ATA Antarctica; AR ARG Argentina; AS ASM American Samoa
AT AUT Austria; AU AUS Australia; AW ABW Aruba; AX ALA Åland Islands; AZ AZE Azerbaijan
BA BIH Bosnia & Herzegovina; BB BRB Barbados; BD BGD Bangladesh; BE BEL Belgium; BF BFA Burkina Faso
BG BGR Bulgaria; BH BHR Bahrain; BI BDI Burundi; BJ BEN Benin; BL BLM St. Barthélemy; BM BMU Bermuda
BN BRN Brunei; BO BOL Bolivia; BQ BES Caribbean Netherlands; BR BRA Brazil; BS BHS Bahamas; BT BTN Bhutan
BV BVT Bouvet Island; BW BWA Botswana; BY BLR Belarus; BZ BLZ Belize; CA CAN Canada
CC CCK Cocos (Keeling) Islands; CD COD Congo - Kinshasa; CF CAF Central African Republic
CG COG Congo - Brazzaville; CH CHE Switzerland; CI CIV Côte d’Ivoire; CK COK Cook Islands; CL CHL Chile
CM CMR Cameroon; CN CHN China; CO COL Colombia; CR CRI Costa Rica; CU CUB Cuba; CV CPV Cape Verde
CW CUW Curaçao; CX CXR Christmas Island; CY CYP Cyprus; CZ CZE Czechia; DE DEU Germany; DJ DJI Djibouti
DK DNK Denmark; DM DMA Dominica; DO DOM Dominican Republic; DZ DZA Algeria; EC ECU Ecuador; EE EST Estonia
EG EGY Egypt; EH ESH Western Sahara; ER ERI Eritrea; ES ESP Spain; ET ETH Ethiopia; FI FIN Finland
FJ FJI Fiji; FK FLK Falkland Islands; FM FSM Micronesia; FO FRO Faroe Islands; FR FRA France; GA GAB Gabon
GB GBR United Kingdom; GD GRD Grenada; GE GEO Georgia; GF GUF French Guiana; GG GGY Guernsey; GH GHA Ghana
GI GIB Gibraltar; GL GRL Greenland; GM GMB Gambia; GN GIN Guinea; GP GLP Guadeloupe
GQ GNQ Equatorial Guinea; GR GRC Greece; GS SGS South Georgia & South Sandwich Islands; GT GTM Guatemala
GU GUM Guam; GW GNB Guinea-Bissau; GY GUY Guyana; HK HKG Hong Kong SAR China
HM HMD Heard & McDonald Islands; HN HND Honduras; HR HRV Croatia; HT HTI Haiti; HU HUN Hungary
ID IDN Indonesia; IE IRL Ireland; IL ISR Israel; IM IMN Isle of Man; IN IND India
IO IOT British Indian Ocean Territory; IQ IRQ Iraq; IR IRN Iran; IS ISL Iceland; IT ITA Italy; JE JEY Jersey
JM JAM Jamaica; JO JOR Jordan; JP JPN Japan; KE KEN Kenya; KG KGZ Kyrgyzstan; KH KHM Cambodia
KI KIR Kiribati; KM COM Comoros; KN KNA St. Kitts & Nevis; KP PRK North Korea; KR KOR South Korea
KW KWT Kuwait; KY CYM Cayman Islands; KZ KAZ Kazakhstan; LA LAO Laos; LB LBN Lebanon; LC LCA St. Lucia
LI LIE Liechtenstein; LK LKA Sri Lanka; LR LBR Liberia; LS LSO Lesotho; LT LTU Lithuania; LU LUX Luxembourg
LV LVA Latvia; LY LBY Libya; MA MAR Morocco; MC MCO Monaco; MD MDA Moldova; ME MNE Montenegro
MF MAF St. Martin; MG MDG Madagascar; MH MHL Marshall Islands; MK MKD North Macedonia; ML MLI Mali
MM MMR Myanmar (Burma); MN MNG Mongolia; MO MAC Macao SAR China; MP MNP Northern Mariana Islands
MQ MTQ Martinique; MR MRT Mauritania; MS MSR Montserrat; MT MLT Malta; MU MUS Mauritius; MV MDV Maldives
MW MWI Malawi; MX MEX Mexico; MY MYS Malaysia; MZ MOZ Mozambique; NA NAM Namibia; NC NCL New Caledonia
NE NER Niger; NF NFK Norfolk Island; NG NGA Nigeria; NI NIC Nicaragua; NL NLD Netherlands; NO NOR Norway
NP NPL Nepal; NR NRU Nauru; NU NIU Niue; NZ NZL New Zealand; OM OMN Oman; PA PAN Panama; PE PER Peru
PF PYF French Polynesia; PG PNG Papua New Guinea; PH PHL Philippines; PK PAK Pakistan; PL POL Poland
PM SPM St. Pierre & Miquelon; PN PCN Pitcairn Islands; PR PRI Puerto Rico; PS PSE Palestinian Territories
PT PRT Portugal; PW PLW Palau; PY PRY Paraguay; QA QAT Qatar; RE REU Réunion; RO ROU Romania; RS SRB Serbia
RU RUS Russia; RW RWA Rwanda; SA SAU Saudi Arabia; SB SLB Solomon Islands; SC SYC Seychelles; SD SDN Sudan
SE SWE Sweden; SG SGP Singapore; SH SHN St. Helena; SI SVN Slovenia; SJ SJM Svalbard & Jan Mayen
SK SVK Slovakia; SL SLE Sierra Leone; SM SMR San Marino; SN SEN Senegal; SO SOM Somalia; SR SUR Suriname
SS SSD South Sudan; ST STP São Tomé & Príncipe; SV SLV El Salvador; SX SXM Sint Maarten; SY SYR Syria
SZ SWZ Eswatini; TC TCA Turks & Caicos Islands; TD TCD Chad; TF ATF French Southern Territories; TG TGO Togo
TH THA Thailand; TJ TJK Tajikistan; TK TKL Tokelau; TL TLS Timor-Leste; TM TKM Turkmenistan; TN TUN Tunisia
TO TON Tonga; TR TUR Türkiye; TT TTO Trinidad & Tobago; TV TUV Tuvalu; TW TWN Taiwan; TZ TZA Tanzania
UA UKR Ukraine; UG UGA Uganda; UM UMI U.S. Outlying Islands; US USA United States; UY URY Uruguay
UZ UZB Uzbekistan; VA VAT Vatican City; VC VCT St. Vincent & Grenadines; VE VEN Venezuela
VG VGB British Virgin Islands; VI VIR U.S. Virgin Islands; VN VNM Vietnam; VU VUT Vanuatu
WF WLF Wallis & Futuna; WS WSM Samoa; XK XKX Kosovo; YE YEM Yemen; YT MYT Mayotte; ZA ZAF South Africa
ZM ZMB Zambia; ZW ZWE Zimbabwe`;

const COUNTRY_ALIASES: Readonly<Record<string, readonly string[]>> = {
  AE: ['UAE', 'Emirates'],
  BA: ['Bosnia'],
  CD: ['DR Congo', 'DRC', 'Democratic Republic of the Congo'],
  CG: ['Republic of the Congo'],
  CI: ['Ivory Coast'],
  CN: ['PRC', "People's Republic of China", 'Mainland China'],
  CV: ['Cabo Verde'],
  CZ: ['Czech Republic'],
  FM: ['Federated States of Micronesia'],
  GB: ['UK', 'Great Britain', 'Britain'],
  HK: ['Hong Kong'],
  IE: ['Republic of Ireland', 'Eire'],
  KP: ['DPRK'],
  KR: ['Korea', 'Republic of Korea'],
  MK: ['Macedonia'],
  MM: ['Myanmar', 'Burma'],
  MO: ['Macau'],
  NL: ['Holland', 'The Netherlands'],
  PS: ['Palestine'],
  RU: ['Russian Federation'],
  SZ: ['Swaziland'],
  TL: ['East Timor'],
  TR: ['Turkey'],
  US: ['USA', 'United States of America', 'America'],
  VA: ['Vatican', 'Holy See'],
  VN: ['Viet Nam'],
};

/** Country code, then what people write for a region, then its name in GeoNames. */
export const REGION_ALIASES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  AU: {
    ACT: 'Australian Capital Territory',
    NSW: 'New South Wales',
    NT: 'Northern Territory',
    QLD: 'Queensland',
    SA: 'South Australia',
    TAS: 'Tasmania',
    VIC: 'Victoria',
    WA: 'Western Australia',
  },
  BR: {
    AC: 'Acre',
    AL: 'Alagoas',
    AM: 'Amazonas',
    AP: 'Amapá',
    BA: 'Bahia',
    CE: 'Ceará',
    DF: 'Federal District',
    'Distrito Federal': 'Federal District',
    ES: 'Espírito Santo',
    GO: 'Goiás',
    MA: 'Maranhão',
    MG: 'Minas Gerais',
    MS: 'Mato Grosso do Sul',
    MT: 'Mato Grosso',
    PA: 'Pará',
    PB: 'Paraíba',
    PE: 'Pernambuco',
    PI: 'Piauí',
    PR: 'Paraná',
    RJ: 'Rio de Janeiro',
    RN: 'Rio Grande do Norte',
    RO: 'Rondônia',
    RR: 'Roraima',
    RS: 'Rio Grande do Sul',
    SC: 'Santa Catarina',
    SE: 'Sergipe',
    SP: 'São Paulo',
    TO: 'Tocantins',
  },
  CA: {
    AB: 'Alberta',
    BC: 'British Columbia',
    MB: 'Manitoba',
    NB: 'New Brunswick',
    NL: 'Newfoundland and Labrador',
    NS: 'Nova Scotia',
    NT: 'Northwest Territories',
    NU: 'Nunavut',
    ON: 'Ontario',
    PE: 'Prince Edward Island',
    PEI: 'Prince Edward Island',
    QC: 'Quebec',
    SK: 'Saskatchewan',
    YT: 'Yukon',
    Newfoundland: 'Newfoundland and Labrador',
  },
  DE: {
    BB: 'Brandenburg',
    BE: 'State of Berlin',
    Berlin: 'State of Berlin',
    BW: 'Baden-Wurttemberg',
    BY: 'Bavaria',
    Bayern: 'Bavaria',
    HB: 'Bremen',
    HE: 'Hesse',
    Hessen: 'Hesse',
    HH: 'Hamburg',
    MV: 'Mecklenburg-Vorpommern',
    NI: 'Lower Saxony',
    Niedersachsen: 'Lower Saxony',
    NRW: 'North Rhine-Westphalia',
    NW: 'North Rhine-Westphalia',
    'Nordrhein-Westfalen': 'North Rhine-Westphalia',
    RP: 'Rheinland-Pfalz',
    'Rhineland-Palatinate': 'Rheinland-Pfalz',
    SH: 'Schleswig-Holstein',
    SL: 'Saarland',
    SN: 'Saxony',
    Sachsen: 'Saxony',
    ST: 'Saxony-Anhalt',
    'Sachsen-Anhalt': 'Saxony-Anhalt',
    TH: 'Thuringia',
    Thüringen: 'Thuringia',
  },
  US: {
    AK: 'Alaska',
    AL: 'Alabama',
    AR: 'Arkansas',
    AZ: 'Arizona',
    CA: 'California',
    CO: 'Colorado',
    CT: 'Connecticut',
    DC: 'District of Columbia',
    DE: 'Delaware',
    FL: 'Florida',
    GA: 'Georgia',
    HI: 'Hawaii',
    IA: 'Iowa',
    ID: 'Idaho',
    IL: 'Illinois',
    IN: 'Indiana',
    KS: 'Kansas',
    KY: 'Kentucky',
    LA: 'Louisiana',
    MA: 'Massachusetts',
    MD: 'Maryland',
    ME: 'Maine',
    MI: 'Michigan',
    MN: 'Minnesota',
    MO: 'Missouri',
    MS: 'Mississippi',
    MT: 'Montana',
    NC: 'North Carolina',
    ND: 'North Dakota',
    NE: 'Nebraska',
    NH: 'New Hampshire',
    NJ: 'New Jersey',
    NM: 'New Mexico',
    NV: 'Nevada',
    NY: 'New York',
    OH: 'Ohio',
    OK: 'Oklahoma',
    OR: 'Oregon',
    PA: 'Pennsylvania',
    RI: 'Rhode Island',
    SC: 'South Carolina',
    SD: 'South Dakota',
    TN: 'Tennessee',
    TX: 'Texas',
    UT: 'Utah',
    VA: 'Virginia',
    VT: 'Vermont',
    WA: 'Washington',
    WI: 'Wisconsin',
    WV: 'West Virginia',
    WY: 'Wyoming',
  },
};

export interface Country {
  /** ISO 3166-1 alpha-2. */
  readonly code: string;
  readonly alpha3: string;
  readonly name: string;
  readonly aliases: readonly string[];
}

/** Every country, by its code. */
export function countries(): Country[] {
  return COUNTRIES.trim()
    .split(/; |\n/)
    .map((row) => {
      const code = row.slice(0, 2);
      return { code, alpha3: row.slice(3, 6), name: row.slice(7), aliases: COUNTRY_ALIASES[code] ?? [] };
    });
}
