import entities from './html-entities.json' with { type: 'json' };

const SIGNS: ReadonlyMap<string, string> = new Map(Object.entries(entities));

/** Decodes HTML entities once: `R&amp;D` becomes `R&D`. Unknown ones and control characters stay. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:#(x[\da-f]{2,5}|\d{2,6})|(\w{2,8}));/gi, (entity, code?: string, name = '') => {
    const sign = code === undefined ? SIGNS.get(name) : String.fromCodePoint(Number(`0${code}`));
    return sign && /[^\p{Cc}\p{Cs}]/u.test(sign) ? sign : entity;
  });
}
