/** No text of a person has more: the longest email address that there can be has 254 characters. */
export const BASIC_CHARACTERS = 254;

/** Control, format and private characters, and others that take no room or are blank: they make addresses look alike. */
export const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]/gu;

/** A local part and a domain, without the characters that quote, comment or list addresses (RFC 5322, 3.2.3). */
const LOCAL_AND_DOMAIN = /^([^\s"(),:;<>@[\]\\]+)@([^\s"(),:;<>@[\]\\/?#%]+?)\.?$/;

/** Two labels or more; the last one is no number, as in an IP address. */
const DOMAIN_NAME = /^(?:[^.]+\.)+(?!\d+$)[^.]+$/;

/**
 * An email address in the one form in which it is stored and compared: NFKC and lower case, its domain in ASCII
 * (UTS 46). Reading that form gives it again. `fault` says what is wrong with a text that is no address.
 */
export function readEmail(text: string): { readonly address: string } | { readonly fault: string } {
  const unseen = text.match(UNSEEN)?.[0]?.codePointAt(0);
  if (unseen !== undefined) {
    const codePoint = unseen.toString(16).toUpperCase().padStart(4, '0');
    return { fault: `must have no invisible or control characters: U+${codePoint}` };
  }
  const [, local, domain] = LOCAL_AND_DOMAIN.exec(folded(text).trim()) ?? [];
  const url = `http://${domain}`;
  const host = domain !== undefined && URL.canParse(url) ? new URL(url).hostname : '';
  if (local === undefined || !DOMAIN_NAME.test(host)) {
    return { fault: 'must be an email address' };
  }
  const address = `${local}@${host}`;
  return address.length > BASIC_CHARACTERS
    ? { fault: `has ${address.length} characters; at most ${BASIC_CHARACTERS}` }
    : { address };
}

/** Lower case may take a composed letter apart. */
function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC');
}
