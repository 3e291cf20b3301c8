import type { Place } from '../../contract/place-names.ts';
import type { RemoteOption } from './place-text.ts';

export type PlaceMeaning =
  | {
      readonly kind: 'place';
      readonly place: Place;
      /** `likely` is one of several of that name, which outweighs the others or is the one in use. */
      readonly sure: 'exact' | 'likely';
      /** `Hybrid - Austin, TX` says it beside the place. */
      readonly remoteOption?: RemoteOption;
    }
  /** Several places in one text, each with what it means. */
  | { readonly kind: 'several'; readonly parts: readonly { text: string; meaning: PlaceMeaning }[] }
  /** `Remote`, `Remote in USA`: countries by their names in the list of countries. */
  | { readonly kind: 'remote'; readonly countries: readonly string[] }
  | { readonly kind: 'country'; readonly country: string }
  /** A state or province, a county, a metro area without a city of its own. */
  | { readonly kind: 'region'; readonly region: string; readonly country: string }
  /** A continent or a sales area: `Europe`, `EMEA`. */
  | { readonly kind: 'continent'; readonly name: string }
  /** `Multiple locations`, `Various`: places that the text does not name. */
  | { readonly kind: 'unnamed' }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly Place[] }
  | { readonly kind: 'unknown' };
