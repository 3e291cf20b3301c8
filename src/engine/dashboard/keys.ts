import { html } from 'hono/html';
import { PartnerError } from '../../contract/errors.ts';
import {
  type IssuedKey,
  issueKey,
  KEY_NAME_MAX,
  type ListedKey,
  revokeKey,
  toListedKey,
} from '../companies/keys.ts';
import type { EngineParts } from '../parts.ts';
import { type DashboardRoute, get, type Html, type PageContext, post, type Reply, ROOT } from './page.ts';
import {
  badge,
  postForm,
  renderDay,
  renderDoneNotice,
  renderTime,
  screenReaderText,
  userText,
} from './parts.ts';

export const KEY_ROUTES: readonly DashboardRoute[] = [
  get('/keys', (context, parts) => renderKeys(context, parts)),
  post('/keys', async (context, parts) => {
    const { company, form, now } = context;
    const name = form.get('name')?.trim() || undefined;
    // Renders the page directly, because after a redirect, the key could only be shown if the URL contained it.
    const issued = await parts.store.write((queries) => issueKey(queries, company.id, now, name));
    return renderKeys(context, parts, issued);
  }),
  post('/keys/:id/revoke', async ({ company, params: { id }, now }, { store }) => {
    await store.write(async (queries) => {
      const key = (await queries.keys.list(company.id)).find((row) => row.id === id);
      if (key === undefined) {
        throw new PartnerError('NOT_FOUND', { message: 'key not found', hint: 'check the Keys tab' });
      }
      await revokeKey(queries, key.id, now);
    });
    return { redirect: `${ROOT}/keys?done=revoked` };
  }),
];

async function renderKeys(context: PageContext, { store }: EngineParts, issued?: IssuedKey): Promise<Reply> {
  const keys = (await store.read.keys.list(context.company.id)).map(toListedKey);
  const body = html`<h1>Partner keys</h1>
<p>Programs use a key to access the API as ${context.company.name}. A key is shown once, when it is issued. Only its digest is stored.</p>
${renderDoneNotice(context, { revoked: 'The key was revoked.' })}
${issued === undefined ? '' : renderNewKey(issued)}
<section class="card" aria-labelledby="keys"><h2 id="keys">Keys</h2>
${keys.length === 0 ? html`<p class="empty">No keys yet.</p>` : keyTable(keys, context)}
${postForm(context, '/keys', issueForm, 'closing')}
</section>`;
  return { page: { title: 'Partner keys', body } };
}

const issueForm = html`<div class="field"><label for="key-name">Name</label>
<div class="money"><input id="key-name" name="name" maxlength="${KEY_NAME_MAX}" autocomplete="off" aria-describedby="key-name-hint"></div>
<p class="meta" id="key-name-hint">The program that sends the key, such as ci. Optional.</p></div>
<button class="primary">Issue a key</button>`;

function renderNewKey({ key, id }: IssuedKey): Html {
  return html`<section class="card fresh" aria-labelledby="issued"><h2 id="issued">Your new key</h2>
<p><code class="secret">${key}</code></p>
<p>Copy it now: it isn't shown again. Use it with <code>partner auth login</code>. Its ID is <code>${id}</code>.</p>
</section>`;
}

function keyTable(keys: readonly ListedKey[], context: PageContext): Html {
  return html`<div class="scroll" role="region" aria-label="Partner keys" tabindex="0"><table>
<caption class="visually-hidden">Partner keys, oldest first</caption>
<thead><tr><th scope="col">Key</th><th scope="col">State</th><th scope="col"><span class="visually-hidden">Action</span></th></tr></thead>
<tbody>${keys.map((key) => keyRow(key, context))}</tbody>
</table></div>`;
}

function keyRow({ id, name, last4, createdAt, lastUsedAt, revokedAt }: ListedKey, context: PageContext) {
  return html`<tr>
<th scope="row">${name === null ? '' : html`${userText(name)} `}<code>sk_ext_…${last4}</code> <span class="meta">issued ${renderDay(createdAt)} · ${lastUsedAt === null ? 'no HTTP request yet' : html`last used ${renderTime(lastUsedAt)}`}</span></th>
<td>${revokedAt === null ? badge('good', 'Active') : html`${badge('quiet', 'Revoked')} <span class="meta">${renderDay(revokedAt)}</span>`}</td>
<td class="act">${revokedAt === null ? revokeForm(id, last4, context) : ''}</td>
</tr>`;
}

function revokeForm(id: string, last4: string, context: PageContext): Html {
  return html`<details><summary>Revoke${screenReaderText(` the key ending in ${last4}`)}</summary>
<p>The key stops working immediately for every program that uses it. This can't be undone.</p>
${postForm(context, `/keys/${id}/revoke`, html`<button class="danger">Revoke the key</button>`, 'actions')}
</details>`;
}
