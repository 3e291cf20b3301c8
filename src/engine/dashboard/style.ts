/**
 * The style of every page of the dashboard. Colours have one name each for light and dark; text on every ground of
 * its own keeps a contrast of 4.5 to 1 and more.
 */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f6f7f9; --surface: #ffffff; --sunken: #eef0f3; --line: #d9dee5; --edge: #7d8896;
  --text: #171c24; --soft: #535d6b; --link: #1d4fc4; --primary: #1d4fc4; --on-primary: #ffffff; --primary-hover: #163f9f;
  --good: #14693c; --good-ground: #e2f4e9; --warn: #7a4d00; --warn-ground: #fdf0d0;
  --bad: #a5211d; --bad-ground: #fde8e6; --info: #1b4b9b; --info-ground: #e5eefc; --quiet: #4b5563; --quiet-ground: #e9ecf0;
  --track: #e1e5eb; --fill: #2f66dd; --fill-full: #b97600; --shadow: 0 1px 2px rgb(16 24 40 / 6%);
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0e1217; --surface: #161b22; --sunken: #1d242d; --line: #2c3540; --edge: #728094;
    --text: #e7ebf0; --soft: #a3aebb; --link: #93b4ff; --primary: #8fb0ff; --on-primary: #0b1324; --primary-hover: #b3c9ff;
    --good: #7fdca6; --good-ground: #12301f; --warn: #f2c568; --warn-ground: #38290a;
    --bad: #ffa19a; --bad-ground: #411715; --info: #a3c4ff; --info-ground: #16294a; --quiet: #b6c0cc; --quiet-ground: #262e38;
    --track: #2a333e; --fill: #7ea4ff; --fill-full: #e0a63a; --shadow: none;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column;
  background: var(--ground); color: var(--text); overflow-wrap: break-word;
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif;
}
h1, h2, h3, p, ul, ol, dl, dd, figure, fieldset { margin: 0; padding: 0; }
h1, h2, h3 { line-height: 1.25; font-weight: 650; text-wrap: balance; min-width: 0; }
h1 { font-size: 1.625rem; letter-spacing: -0.015em; }
h2 { font-size: 1.125rem; letter-spacing: -0.005em; }
h3 { font-size: 1rem; }
a { color: var(--link); text-underline-offset: 0.18em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
code { font: 0.875em/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; background: var(--sunken); border-radius: 4px; padding: 0.1em 0.35em; overflow-wrap: anywhere; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 4px; }
main:focus { outline: none; }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 1rem; top: -4rem; z-index: 1; background: var(--surface); padding: 0.5rem 0.75rem; border: 1px solid var(--edge); border-radius: 6px; }
.skip:focus { top: 0.5rem; }

header { background: var(--surface); border-bottom: 1px solid var(--line); }
.bar-top { max-width: 62rem; margin: 0 auto; padding: 0.5rem 1.25rem; display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1.5rem; min-height: 3.5rem; }
.company { font-weight: 650; max-width: 18rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
nav.main { flex: 1; }
nav.main ul { display: flex; list-style: none; gap: 0.25rem; }
nav.main a { display: block; padding: 0.375rem 0.625rem; border-radius: 6px; color: var(--soft); text-decoration: none; font-weight: 500; }
nav.main a:hover { background: var(--sunken); color: var(--text); }
nav.main a[aria-current] { color: var(--text); background: var(--sunken); box-shadow: inset 0 -2px var(--link); }
main { width: 100%; max-width: 62rem; margin: 0 auto; padding: 2rem 1.25rem 3rem; flex: 1; display: flex; flex-direction: column; gap: 1.25rem; min-width: 0; }
main > * { min-width: 0; }
main > section { display: flex; flex-direction: column; gap: 0.875rem; }
footer { max-width: 62rem; width: 100%; margin: 0 auto; padding: 1rem 1.25rem 2rem; color: var(--soft); font-size: 0.875rem; }

.meta { color: var(--soft); font-size: 0.9375rem; }
.empty { color: var(--soft); }
.crumb { font-size: 0.9375rem; margin-bottom: -0.875rem; }
.crumb::before { content: "← " / ""; color: var(--soft); }
.line { display: flex; gap: 0.5rem; align-items: flex-start; flex-wrap: nowrap; }
.prose { white-space: pre-line; max-width: 44rem; }
.prose.terms { display: flex; flex-direction: column; gap: 0.875rem; }
.figures, .number, .count { font-variant-numeric: tabular-nums; }

.card { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; box-shadow: var(--shadow); padding: 1.25rem; display: flex; flex-direction: column; gap: 0.75rem; min-width: 0; }
.card ul:not([role]):not(.gaps), .card ol { padding-left: 1.25rem; display: flex; flex-direction: column; gap: 0.25rem; }
.card > h3, .card > details > h3 { margin-top: 0.5rem; }
.cards { list-style: none; display: flex; flex-direction: column; gap: 0.875rem; }
.title { display: flex; flex-direction: column; gap: 0.25rem; }
.card:target { border-color: var(--link); box-shadow: 0 0 0 1px var(--link); }
.card-head { display: flex; flex-wrap: wrap; align-items: center; gap: 0.375rem 0.75rem; }
.card-head h2 a { color: inherit; text-decoration: none; }
.card-head h2 a:hover { color: var(--link); text-decoration: underline; }
.card-head nav { margin-left: auto; }
.closing { border-top: 1px solid var(--line); padding-top: 1rem; margin-top: 0.25rem; display: flex; flex-direction: column; gap: 1rem; align-items: flex-start; }

.badge { display: inline-flex; align-items: center; border-radius: 999px; padding: 0.0625rem 0.625rem; font-size: 0.8125rem; font-weight: 600; white-space: nowrap; }
.badge.good { color: var(--good); background: var(--good-ground); }
.badge.warn { color: var(--warn); background: var(--warn-ground); }
.badge.bad { color: var(--bad); background: var(--bad-ground); }
.badge.info { color: var(--info); background: var(--info-ground); }
.badge.new { color: var(--on-primary); background: var(--primary); }
.badge.quiet { color: var(--quiet); background: var(--quiet-ground); }
.sign { flex: none; margin-top: 0.25rem; fill: none; stroke: currentColor; stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
.sign.good { color: var(--good); } .sign.warn { color: var(--warn); } .sign.bad { color: var(--bad); } .sign.info { color: var(--info); } .sign.quiet { color: var(--quiet); }
.notice { display: flex; gap: 0.625rem; padding: 0.75rem 1rem; border-radius: 8px; border: 1px solid transparent; }
.notice.good { background: var(--good-ground); color: var(--good); border-color: var(--good); }
.notice.warn { background: var(--warn-ground); color: var(--warn); border-color: var(--warn); }
.notice.bad { background: var(--bad-ground); color: var(--bad); border-color: var(--bad); }
.notice.info { background: var(--info-ground); color: var(--info); border-color: var(--info); }

.tabs ul { list-style: none; display: flex; flex-wrap: wrap; gap: 0.375rem; }
.tabs a { display: block; padding: 0.25rem 0.75rem; border: 1px solid var(--line); border-radius: 999px; text-decoration: none; color: var(--soft); background: var(--surface); font-size: 0.9375rem; }
.tabs a:hover { border-color: var(--edge); color: var(--text); }
.tabs a[aria-current] { background: var(--text); color: var(--ground); border-color: var(--text); }
.pager, .actions, .months { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }

button, .button { font: inherit; font-size: 0.9375rem; font-weight: 500; line-height: 1.5; display: inline-block; padding: 0.375rem 0.875rem; border-radius: 7px; border: 1px solid var(--edge); background: var(--surface); color: var(--text); text-decoration: none; cursor: pointer; }
button:hover, .button:hover { background: var(--sunken); text-decoration: none; }
button.primary { background: var(--primary); border-color: var(--primary); color: var(--on-primary); }
button.primary:hover { background: var(--primary-hover); border-color: var(--primary-hover); }
button.danger { color: var(--bad); border-color: var(--bad); }
button.danger:hover { background: var(--bad-ground); }
.sign-out button { font-weight: 500; border-color: transparent; color: var(--soft); background: none; padding-inline: 0.5rem; margin-right: -0.5rem; }
.sign-out button:hover { color: var(--text); background: var(--sunken); }

.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(13rem, 100%), 1fr)); gap: 0.75rem 1.5rem; }
.facts.narrow { grid-template-columns: repeat(auto-fit, minmax(min(8rem, 100%), 1fr)); }
.cards .facts { display: flex; flex-wrap: wrap; gap: 0.5rem 2.5rem; }
.halves { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); gap: 0.75rem 2rem; align-items: start; }
.facts div { min-width: 0; }
dt { color: var(--soft); font-size: 0.875rem; }
dd { overflow-wrap: anywhere; }
.answers { display: flex; flex-direction: column; gap: 0.125rem; }
.answers dd { margin-bottom: 0.5rem; }
.answers dd:last-child { margin-bottom: 0; }
.gate { list-style: none; display: flex; flex-direction: column; gap: 0.375rem; }
.gate > li { display: flex; gap: 0.5rem; align-items: flex-start; }
.gate > li > div { min-width: 0; }
.gaps { padding-left: 1.125rem; margin-top: 0.25rem; display: flex; flex-direction: column; gap: 0.125rem; color: var(--soft); }
.gaps code { color: var(--text); }

.budgets { list-style: none; display: grid; grid-template-columns: repeat(auto-fit, minmax(min(14rem, 100%), 24rem)); gap: 1rem 1.5rem; }
.budget { min-width: 0; font-size: 0.9375rem; }
.budget-head { display: flex; justify-content: space-between; gap: 0.5rem; flex-wrap: wrap; }
.budget-head strong { font-weight: 600; }
.budget-foot { color: var(--soft); display: flex; gap: 0.5rem; flex-wrap: wrap; align-items: center; }
.budget .meta { font-size: 0.875rem; text-wrap: pretty; }
svg.bar { display: block; width: 100%; height: 0.5rem; border-radius: 999px; margin: 0.3125rem 0; }
.bar-track { fill: var(--track); } .bar-fill { fill: var(--fill); } .filled .bar-fill { fill: var(--fill-full); }

.chart { display: flex; flex-direction: column; gap: 0.5rem; }
.chart figcaption { font-weight: 600; }
.plot { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.25rem 0.625rem; }
.plot > svg { width: 100%; height: 11rem; display: block; overflow: visible; }
.scale { display: flex; flex-direction: column; justify-content: space-between; text-align: right; font-size: 0.75rem; line-height: 1; color: var(--soft); font-variant-numeric: tabular-nums; margin: -0.375rem 0; }
.days { grid-column: 2; display: grid; grid-auto-flow: column; grid-auto-columns: minmax(0, 1fr); font-size: 0.75rem; line-height: 1.2; color: var(--soft); text-align: center; white-space: nowrap; }
.rule { stroke: var(--line); stroke-width: 1; vector-effect: non-scaling-stroke; }
rect.charged { fill: var(--fill); }

.months [rel=prev]::before { content: "← " / ""; }
.months [rel=next]::after { content: " →" / ""; }
.scroll { overflow-x: auto; position: relative; }
table { border-collapse: collapse; width: 100%; font-size: 0.9375rem; }
th, td { text-align: left; padding: 0.5rem 0.75rem 0.5rem 0; border-bottom: 1px solid var(--line); vertical-align: baseline; }
th:last-child, td:last-child { padding-right: 0; }
thead th { color: var(--soft); font-size: 0.875rem; font-weight: 500; }
tbody th { font-weight: 500; }
tbody:last-child tr:last-child > * { border-bottom: 0; }
th code { white-space: nowrap; }
th[scope=row] { min-width: 7rem; overflow-wrap: anywhere; hyphens: auto; }
th .meta, td .meta { display: inline-block; font-weight: 400; }
tfoot th, tfoot td { font-weight: 650; border-bottom: 0; }
td.act { text-align: right; }
th.number, td.number { text-align: right; white-space: nowrap; }
details { border-radius: 6px; }
details[open] > * + * { margin-top: 0.625rem; }
summary { cursor: pointer; color: var(--link); width: fit-content; font-size: 0.9375rem; }

form.closing, .card > form { display: flex; flex-direction: column; gap: 1rem; align-items: flex-start; }
.card > form.actions, .actions form { display: flex; flex-direction: row; }
fieldset { border: 0; min-width: 0; width: 100%; display: flex; flex-direction: column; gap: 0.5rem; }
legend { font-weight: 600; padding: 0; margin-bottom: 0.25rem; }
.fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(13rem, 100%), 1fr)); gap: 1rem 1.5rem; margin-top: 0.5rem; }
.field { display: flex; flex-direction: column; gap: 0.25rem; min-width: 0; }
.field label { font-weight: 550; }
.field .meta { font-size: 0.875rem; text-wrap: balance; }
.money { display: flex; align-items: center; border: 1px solid var(--edge); border-radius: 7px; background: var(--surface); }
.money > span { padding-left: 0.75rem; color: var(--soft); }
.money input { flex: 1; min-width: 0; font: inherit; color: inherit; background: transparent; border: 0; padding: 0.4375rem 0.75rem 0.4375rem 0.375rem; border-radius: 7px; font-variant-numeric: tabular-nums; }
.money:focus-within { outline: 3px solid var(--link); outline-offset: 1px; }
.money input:focus-visible { outline: none; }
.money:has([aria-invalid]) { border-color: var(--bad); border-width: 2px; }
.fault { color: var(--bad); font-size: 0.9375rem; }
.choice { display: flex; gap: 0.625rem; align-items: baseline; padding: 0.25rem 0; cursor: pointer; }
.choice input { accent-color: var(--link); width: 1.0625rem; height: 1.0625rem; margin: 0; position: relative; top: 0.125rem; flex: none; }
.secret { display: block; font-size: 1rem; padding: 0.75rem 1rem; user-select: all; border: 1px solid var(--line); border-radius: 7px; }
.fresh { border-color: var(--good); }

@media (max-width: 40rem) {
  .bar-top { padding: 0.5rem 1rem; gap: 0.125rem 0.75rem; }
  .company { flex: 1; max-width: none; }
  nav.main { order: 3; flex-basis: 100%; margin: 0 -0.625rem; }
  main { padding: 1.25rem 1rem 2rem; gap: 1rem; }
  footer { padding-inline: 1rem; }
  .card { padding: 1rem; }
  h1 { font-size: 1.4375rem; }
  table { font-size: 0.875rem; }
  th, td { padding-right: 0.5rem; }
  th[scope=row] { min-width: 6.5rem; }
  .budgets { grid-template-columns: 1fr; }
  .card-head nav { margin-left: 0; flex-basis: 100%; }
}
@media (prefers-reduced-motion: no-preference) { a, button, .button { transition: background-color 0.12s, color 0.12s; } }
@media (forced-colors: active) {
  .bar-track { fill: Canvas; stroke: CanvasText; } .bar-fill, rect.charged { fill: Highlight; } .badge { border: 1px solid; }
  nav.main a[aria-current], .tabs a[aria-current] { border: 2px solid Highlight; }
}
@media print {
  :root { --ground: #ffffff; --surface: #ffffff; --text: #171c24; --soft: #535d6b; --line: #d9dee5; --shadow: none; }
  .skip, header nav, .sign-out, .actions, .tabs, .pager, .months, .crumb, form, .button, details:not([open]) { display: none; }
  [aria-labelledby=company-budget], [aria-labelledby=card] { display: none; }
  .bar-top, main, footer { max-width: none; padding-inline: 0; }
  main { padding-block: 1rem; }
  .card { border: 0; padding: 0; }
  tr, .budget, .cards > .card, figure { break-inside: avoid; }
  svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .scroll { overflow: visible; }
  a { color: inherit; text-decoration: none; }
}
`.trimStart();
