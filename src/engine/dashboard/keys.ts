import { html } from 'hono/html';
import { PartnerError } from '../../contract/errors.ts';
import {
  type IssuedKey,
  issueKey,
  KEY_NAME_MAX,
  type ListedKey,
  listedKey,
  revokeKey,
} from '../companies/keys.ts';
import type { EngineParts } from '../parts.ts';
import { type DashboardRoute, get, type Html, type PageContext, post, type Reply, ROOT } from './page.ts';
import { badge, dayOf, doneNotice, postForm, screenReaderText, timeOf, userText } from './parts.ts';

export const KEY_ROUTES: readonly DashboardRoute[] = [
  get('/keys', (context, parts) => shown(context, parts)),
  post('/keys', async (context, parts) => {
    const { company, form, now } = context;
    const name = form.get('name')?.trim() || undefined;
    // Shown in this answer and nowhere else: an address that showed it again would have to keep it.
    const issued = await parts.store.write((queries) => issueKey(queries, company.id, now, name));
    return shown(context, parts, issued);
  }),
  post('/keys/:id/revoke', async ({ company, params: { id }, now }, { store }) => {
    await store.write(async (queries) => {
      const key = (await queries.keys.list(company.id)).find((row) => row.id === id);
      if (key === undefined) {
        throw new PartnerError('NOT_FOUND', { message: 'there is no such key', hint: 'look under Keys' });
      }
      await revokeKey(queries, key.id, now);
    });
    return { redirect: `${ROOT}/keys?done=revoked` };
  }),
];

async function shown(context: PageContext, { store }: EngineParts, issued?: IssuedKey): Promise<Reply> {
  const keys = (await store.read.keys.list(context.company.id)).map(listedKey);
  const body = html`<h1>Partner keys</h1>
<p>Programs that act for ${context.company.name} over the API send a key. It is shown once, when it is issued, and stored as a digest only.</p>
${doneNotice(context, { revoked: 'The key was revoked.' })}
${issued === undefined ? '' : shownOnce(issued)}
<section class="card" aria-labelledby="keys"><h2 id="keys">Keys</h2>
${keys.length === 0 ? html`<p class="empty">No key was issued yet.</p>` : keyTable(keys, context)}
${postForm(context, '/keys', issueForm, 'closing')}
</section>`;
  return { page: { title: 'Partner keys', body } };
}

const issueForm = html`<div class="field"><label for="key-name">Name</label>
<div class="money"><input id="key-name" name="name" maxlength="${KEY_NAME_MAX}" autocomplete="off" aria-describedby="key-name-hint"></div>
<p class="meta" id="key-name-hint">The program that sends the key, such as ci. Optional.</p></div>
<button class="primary">Issue a key</button>`;

function shownOnce({ key, id }: IssuedKey): Html {
  return html`<section class="card fresh" aria-labelledby="issued"><h2 id="issued">Your new key</h2>
<p><code class="secret">${key}</code></p>
<p>Copy it now: it is not shown again. On the command line <code>partner auth login</code> takes it. Its id is <code>${id}</code>.</p>
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
<th scope="row">${name === null ? '' : html`${userText(name)} `}<code>sk_ext_…${last4}</code> <span class="meta">issued ${dayOf(createdAt)} · ${lastUsedAt === null ? 'no HTTP request yet' : html`last used ${timeOf(lastUsedAt)}`}</span></th>
<td>${revokedAt === null ? badge('good', 'Active') : html`${badge('quiet', 'Revoked')} <span class="meta">${dayOf(revokedAt)}</span>`}</td>
<td class="act">${revokedAt === null ? revokeForm(id, last4, context) : ''}</td>
</tr>`;
}

/** Folded up, so that one click does not revoke a key: it cannot be undone. */
function revokeForm(id: string, last4: string, context: PageContext): Html {
  return html`<details><summary>Revoke${screenReaderText(` the key that ends in ${last4}`)}</summary>
<p>The key stops working at once, for every program that uses it. This cannot be undone.</p>
${postForm(context, `/keys/${id}/revoke`, html`<button class="danger">Revoke the key</button>`, 'actions')}
</details>`;
}
