import { html } from 'hono/html';
import { PartnerError } from '../../contract/errors.ts';
import { companyById } from '../companies/company.ts';
import { createDashboard } from '../companies/dashboard.ts';
import { currentTerms, type Terms } from '../companies/terms.ts';
import type { EngineParts } from '../parts.ts';
import { type DashboardRoute, get, type Html, type PageContext, post, type Reply, ROOT } from './page.ts';
import { notice, postForm, timeOf } from './parts.ts';

export const TERMS_ROUTES: readonly DashboardRoute[] = [
  get('/terms', (context, parts) => shown(context, parts)),
  post('/terms', async (context, parts) => {
    const { company, form } = context;
    try {
      await createDashboard(parts.store, parts.clock).acceptTerms(company.id, form.get('version') ?? '');
    } catch (error) {
      if (!(error instanceof PartnerError) || error.code !== 'AGREEMENT_OUTDATED') throw error;
      return shown(context, parts, true);
    }
    return { redirect: `${ROOT}/terms` };
  }),
];

async function shown(context: PageContext, { store }: EngineParts, isOutdatedRead = false): Promise<Reply> {
  const terms = await currentTerms(store.read);
  const { terms_version_accepted: acceptedVersion } = await companyById(store.read, context.company.id);
  const body = termsPage(terms, acceptedVersion, isOutdatedRead, context);
  return { page: { title: 'Employer terms', body, ...(isOutdatedRead ? { status: 409 } : {}) } };
}

function termsPage(
  { version, text, issuedAt }: Terms,
  acceptedVersion: string | null,
  isOutdatedRead: boolean,
  context: PageContext,
): Html {
  const isAccepted = acceptedVersion === version;
  return html`<h1>Employer terms</h1>
${isOutdatedRead ? notice('bad', `Nothing was accepted: the terms that you read are no longer in force. Version ${version} is; read it, then accept it.`, true) : ''}
${standing(version, acceptedVersion)}
<section class="card" aria-labelledby="terms"><h2 id="terms">Version ${version}</h2>
${issuedAt === null ? '' : html`<p class="meta">Issued ${timeOf(issuedAt)}</p>`}
<div class="prose terms">${text.split(/\n+/).map((paragraph) => html`<p>${paragraph}</p>`)}</div>
${
  isAccepted
    ? ''
    : postForm(
        context,
        '/terms',
        html`<input type="hidden" name="version" value="${version}"><p>By accepting you agree to version ${version} for ${context.company.name}.</p><button class="primary">Accept version ${version}</button>`,
        'closing',
      )
}
</section>`;
}

function standing(version: string, acceptedVersion: string | null): Html {
  if (acceptedVersion === version) return notice('good', `Accepted: version ${version} is in force.`);
  if (acceptedVersion === null)
    return notice('warn', 'Not accepted yet. Until they are, no job can be published.');
  return notice(
    'warn',
    `Outdated: you accepted version ${acceptedVersion}, and version ${version} is in force now. Until it is accepted no job can be published; what is live stays live.`,
  );
}
