import { html } from 'hono/html';
import type { Terms } from '../../companies/terms.ts';
import type { Html, Visit } from '../visit.ts';
import { notice, postForm, timeOf } from './parts.ts';

/** The terms as a company's person meets them. */
export interface TermsPage {
  readonly terms: Terms;
  /** Null where none was ever accepted. */
  readonly acceptedVersion: string | null;
  /** True where the version that was read is no longer in force. */
  readonly isOutdatedRead?: boolean;
}

/** The terms in force, to be read and accepted. */
export function termsPage(page: TermsPage, visit: Visit): Html {
  const { version, text, issuedAt } = page.terms;
  const isAccepted = page.acceptedVersion === version;
  return html`<h1>Employer terms</h1>
${page.isOutdatedRead === true ? notice('bad', `Nothing was accepted: the terms that you read are no longer in force. Version ${version} is; read it, then accept it.`, true) : ''}
${standing(page, isAccepted)}
<section class="card" aria-labelledby="terms"><h2 id="terms">Version ${version}</h2>
${issuedAt === null ? '' : html`<p class="meta">Issued ${timeOf(issuedAt)}</p>`}
<div class="prose terms">${text.split(/\n+/).map((paragraph) => html`<p>${paragraph}</p>`)}</div>
${
  isAccepted
    ? ''
    : postForm(
        visit,
        '/terms',
        html`<input type="hidden" name="version" value="${version}"><p>By accepting you agree to version ${version} for ${visit.company.name}.</p><button class="primary">Accept version ${version}</button>`,
        'closing',
      )
}
</section>`;
}

function standing({ terms, acceptedVersion }: TermsPage, isAccepted: boolean): Html {
  if (isAccepted) return notice('good', `Accepted: version ${terms.version} is in force.`);
  if (acceptedVersion === null)
    return notice('warn', 'Not accepted yet. Until they are, no job can be published.');
  return notice(
    'warn',
    `Outdated: you accepted version ${acceptedVersion}, and version ${terms.version} is in force now. Until it is accepted no job can be published; what is live stays live.`,
  );
}
