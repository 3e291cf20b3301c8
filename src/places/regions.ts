import { normalise } from './place-names.ts';
import data from './regions.json' with { type: 'json' };

export type Country = (typeof data.countries)[number];

/** Bundles the names, because the first `Intl.DisplayNames` takes 15 ms to create, as long as a small command. */
export const COUNTRIES: readonly Country[] = data.countries;

let byName: ReadonlyMap<string, Country> | undefined;

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

export const REGION_ALIASES: Readonly<Record<string, Readonly<Record<string, string>>>> = data.regionAliases;
