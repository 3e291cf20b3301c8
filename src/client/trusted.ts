import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as tls from 'node:tls';
import { PartnerError } from '../contract/errors.ts';

/** Trust in the PEM certificates of a file, beside those that Node trusts. Throws USAGE for a file that is of no use. */
export function trusting(caFile: string): tls.SecureContext {
  const added = certificatesIn(caFile);
  return tls.createSecureContext({ ca: [...trustedByNode(), ...added] });
}

function certificatesIn(caFile: string): string[] {
  let text: string;
  try {
    text = readFileSync(caFile, 'utf8');
  } catch (cause) {
    throw unusable(caFile, `it cannot be read (${(cause as NodeJS.ErrnoException).code})`, cause);
  }
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  if (found === null) throw unusable(caFile, 'it holds no PEM certificate (`-----BEGIN CERTIFICATE-----`)');
  try {
    // Node passes over a damaged one without a word.
    for (const certificate of found) new X509Certificate(certificate);
  } catch (cause) {
    throw unusable(caFile, 'it holds a damaged certificate', cause);
  }
  return found;
}

/** A `ca` of our own replaces Node's, and with it NODE_EXTRA_CA_CERTS, which older versions of Node do not tell. */
function trustedByNode(): readonly string[] {
  const { getCACertificates } = tls as { getCACertificates?: (type: 'default') => string[] };
  if (getCACertificates !== undefined) return getCACertificates('default');
  const extra = process.env.NODE_EXTRA_CA_CERTS;
  return extra ? [...tls.rootCertificates, readFileSync(extra, 'utf8')] : tls.rootCertificates;
}

function unusable(caFile: string, why: string, cause?: unknown): PartnerError {
  return new PartnerError('USAGE', {
    message: `the CA file ${caFile} cannot be used: ${why}`,
    hint: 'name a file of PEM certificates in PARTNER_CA_FILE, or in the profile with `partner auth login NAME --ca-file FILE`',
    cause,
  });
}
