import { html } from 'hono/html';
import type { IssuedKey, ListedKey } from '../../companies/keys.ts';
import type { Html, Visit } from '../visit.ts';
import { badge, dayOf, notice, postForm, ROOT, spoken, timeOf } from './parts.ts';

/** The company's partner keys; one that was just issued is shown this once. */
export function keysPage(keys: readonly ListedKey[], visit: Visit, issued?: IssuedKey): Html {
  const isRevoked = visit.url.searchParams.get('done') === 'revoked';
  return html`<h1>Partner keys</h1>
<p>Programs that act for ${visit.company.name} over the API send a key. It is shown once, when it is issued, and stored as a digest only.</p>
${isRevoked ? notice('good', 'The key was revoked.') : ''}
${issued === undefined ? '' : shownOnce(issued)}
<section class="card" aria-labelledby="keys"><h2 id="keys">Keys</h2>
${keys.length === 0 ? html`<p class="empty">No key was issued yet.</p>` : keyTable(keys)}
${postForm(visit, '/keys', html`<button class="primary">Issue a key</button>`, 'closing')}
</section>`;
}

function shownOnce({ key, id }: IssuedKey): Html {
  return html`<section class="card fresh" aria-labelledby="issued"><h2 id="issued">Your new key</h2>
<p><code class="secret">${key}</code></p>
<p>Copy it now: it is not shown again. On the command line <code>partner auth login</code> takes it. Its id is <code>${id}</code>.</p>
</section>`;
}

function keyTable(keys: readonly ListedKey[]): Html {
  return html`<div class="scroll" role="region" aria-label="Partner keys" tabindex="0"><table>
<caption class="spoken">Partner keys, oldest first</caption>
<thead><tr><th scope="col">Key</th><th scope="col">State</th><th scope="col"><span class="spoken">Action</span></th></tr></thead>
<tbody>${keys.map(keyRow)}</tbody>
</table></div>`;
}

function keyRow({ id, last4, createdAt, revokedAt }: ListedKey): Html {
  return html`<tr>
<th scope="row"><code>sk_ext_…${last4}</code> <span class="meta">issued ${dayOf(createdAt)}</span></th>
<td>${revokedAt === null ? badge('good', 'Active') : html`${badge('quiet', 'Revoked')} <span class="meta">${dayOf(revokedAt)}</span>`}</td>
<td class="act">${revokedAt === null ? html`<a href="${ROOT}/keys/${id}/revoke">Revoke${spoken(` the key that ends in ${last4}`)}</a>` : ''}</td>
</tr>`;
}

/** Asks before a key is revoked: that cannot be taken back. */
export function revokePage({ id, last4, createdAt }: ListedKey, visit: Visit): Html {
  return html`<p class="crumb"><a href="${ROOT}/keys">Partner keys</a></p>
<h1>Revoke the key that ends in ${last4}?</h1>
<section class="card" aria-label="What revoking does">
<p>The key <code>sk_ext_…${last4}</code>, issued ${timeOf(createdAt)}, stops working at once, for every program that uses it. This cannot be undone; another key can be issued at any time.</p>
${postForm(
  visit,
  `/keys/${id}/revoke`,
  html`<button class="danger">Revoke the key</button> <a class="button" href="${ROOT}/keys">Keep it</a>`,
  'actions',
)}
</section>`;
}
