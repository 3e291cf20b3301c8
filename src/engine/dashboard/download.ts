import { INVISIBLE_CHARS } from '../../contract/outside-text.ts';
import type { Reply } from './visit.ts';

type Download = Extract<Reply, { readonly download: unknown }>['download'];

const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+(?:; ?charset=[\w-]+)?$/;
const NAME_CHARACTERS_MAX = 120;

/** A file to be saved: whatever is in it, a browser neither shows nor runs it on our address. */
export function downloadResponse({ name, type, content }: Download): Response {
  return new Response(content, {
    headers: {
      'Content-Type': MEDIA_TYPE.test(type) ? type : 'application/octet-stream',
      'Content-Disposition': attachment(name),
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    },
  });
}

/** `Content-Disposition` (RFC 6266): the name in ASCII for whoever knows no better, and whole as RFC 5987 has it. */
function attachment(name: string): string {
  const safe = fileName(name);
  const ascii = safe.replace(/[^\x20-\x7e]|["%\\]/g, '_');
  return `attachment; filename="${ascii}"; filename*=UTF-8''${percentEncoded(safe)}`;
}

/** The last part of a name, without what is drawn as nothing or steers, and its ending kept where it is long. */
function fileName(name: string): string {
  const last =
    name
      .replace(/\p{Surrogate}/gu, '_')
      .split(/[/\\]/)
      .at(-1) ?? '';
  const shown = [
    ...last
      .replace(/[\x00-\x1f\x7f-\x9f]/g, '')
      .replace(INVISIBLE_CHARS, '')
      .replace(/^[. ]+/, ''),
  ];
  const ending = /\.\w{1,8}$/.exec(shown.join(''))?.[0] ?? '';
  const isLong = shown.length > NAME_CHARACTERS_MAX;
  const kept = isLong
    ? shown.slice(0, NAME_CHARACTERS_MAX - ending.length).join('') + ending
    : shown.join('');
  return kept === '' ? 'download' : kept;
}

/** Of what `encodeURIComponent` leaves, RFC 5987 does not allow these. */
function percentEncoded(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
