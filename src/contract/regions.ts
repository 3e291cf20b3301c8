import { normalise } from './place-names.ts';
import data from './regions.json' with { type: 'json' };

export interface Country {
  /** ISO 3166-1 alpha-2. */
  readonly code: string;
  readonly alpha3: string;
  readonly name: string;
  readonly aliases: readonly string[];
}

/** By code. Node has the names too, but its first `Intl.DisplayNames` costs 15 ms, as much as a small command. */
export const COUNTRIES: readonly Country[] = data.countries;

let byName: ReadonlyMap<string, Country> | undefined;

/** Every country by its normalised name, aliases and ISO codes; made at the first call. */
export function countriesByName(): ReadonlyMap<string, Country> {
  byName ??= new Map(
    COUNTRIES.flatMap((country) =>
      [country.code, country.alpha3, country.name, ...country.aliases].map(
        (called) => [normalise(called), country] as const,
      ),
    ),
  );
  return byName;
}

/** Country code, then what people write for a region, then its name in GeoNames. */
export const REGION_ALIASES: Readonly<Record<string, Readonly<Record<string, string>>>> = data.regionAliases;
