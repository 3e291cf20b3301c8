import { html } from 'hono/html';
import { ignoreErrors } from '../../contract/errors.ts';
import { loadCompany } from '../companies/company.ts';
import { createDashboard } from '../companies/dashboard.ts';
import { loadTerms } from '../companies/terms.ts';
import type { EngineParts } from '../parts.ts';
import { type DashboardRoute, get, type Html, type PageContext, post, ROOT } from './page.ts';
import { notice, postForm, renderTime } from './parts.ts';

export const TERMS_ROUTES: readonly DashboardRoute[] = [
  get('/terms', (context, parts) => renderTerms(context, parts)),
  post('/terms', async (context, parts) => {
    const { company, form } = context;
    const { acceptTerms } = createDashboard(parts.store, parts.clock);
    const version = form.get('version') ?? '';
    const status = await acceptTerms(company.id, version).catch(ignoreErrors('AGREEMENT_OUTDATED'));
    return status === undefined ? renderTerms(context, parts, true) : { redirect: `${ROOT}/terms` };
  }),
];

async function renderTerms(context: PageContext, { store }: EngineParts, isOutdatedRead = false) {
  const { version, text, issuedAt } = await loadTerms(store.read);
  const { terms_version_accepted: acceptedVersion } = await loadCompany(store.read, context.company.id);
  const isAccepted = acceptedVersion === version;
  const body = html`<h1>Employer terms</h1>
${isOutdatedRead ? notice('bad', `Nothing was accepted: the terms you read are no longer in force. Read version ${version}, then accept it.`, true) : ''}
${renderStanding(version, acceptedVersion)}
<section class="card" aria-labelledby="terms"><h2 id="terms">Version ${version}</h2>
${issuedAt === null ? '' : html`<p class="meta">Issued ${renderTime(issuedAt)}</p>`}
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
  return { page: { title: 'Employer terms', body, ...(isOutdatedRead ? { status: 409 } : {}) } };
}

function renderStanding(version: string, acceptedVersion: string | null): Html {
  if (acceptedVersion === version) return notice('good', `Accepted: version ${version} is in force.`);
  if (acceptedVersion === null)
    return notice('warn', 'Not accepted yet. No job can be published until they are accepted.');
  return notice(
    'warn',
    `Outdated: you accepted version ${acceptedVersion}, but version ${version} is now in force. No job can be published until it is accepted. Live jobs stay live.`,
  );
}
