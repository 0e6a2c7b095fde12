/** What the sign-in pages add to the stylesheet of hosted pages. */
export const styles = `
body { --measure: 26.5rem; }
body:has(.wide) { --measure: 40rem; }
main.frame { display: grid; gap: 1rem; align-content: start; }
.card h1 { font-size: 1.375rem; }
.said { display: flex; gap: .75rem; align-items: flex-start; background: var(--surface); border: 1.5px solid var(--link);
  border-radius: min(var(--radius), 12px); padding: .75rem 1rem; margin: 0 0 1.25rem; }
.said p { margin: 0; } .said:focus { outline: none; } .mark { flex: none; font-weight: 700; color: var(--link); }
.wrong { border-color: var(--problem); border-inline-start-width: 8px; } .wrong p { font-weight: 600; }
.wrong .mark { display: grid; place-content: center; width: 1.5rem; height: 1.5rem; border-radius: 50%;
  color: var(--surface); background: var(--problem); }
.field input[aria-invalid=true] { border: 2px solid var(--problem); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.danger { color: var(--surface); background: var(--problem); }
form { margin: 0; } form + form { margin-top: .75rem; } .do > form { margin: 0; }
.field { margin-bottom: 1rem; } .field small { color: var(--muted); display: block; margin-top: .25rem; }
.stack { display: grid; gap: .75rem; } .stack button, .stack .button { width: 100%; text-align: center; }
.or { display: flex; align-items: center; gap: .75rem; color: var(--muted); font-size: .875rem; margin: 1.25rem 0; }
.or::before, .or::after { content: ''; flex: 1; border-top: 1px solid var(--border); }
.foot-links { display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin: 1.25rem 0 0; font-size: .9375rem; }
.foot-links form { margin: 0; } .foot-links a, .plain { display: inline-flex; align-items: center; min-height: 44px; }
.plain { background: none; border: 0; padding: 0; color: var(--link); font-weight: 400; text-decoration: underline;
  text-underline-offset: .2em; text-decoration-thickness: 1px; text-align: start; cursor: pointer; }
input.code { font-size: 1.5rem; letter-spacing: .35em; text-align: center; font-variant-numeric: tabular-nums; min-height: 56px; }
.usercode { font-size: 1.25rem; font-weight: 650; letter-spacing: .12em; white-space: nowrap; }
.who { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; justify-content: space-between; }
.who p { margin: 0; }
section.card h2 { margin-top: 0; }
.rows { list-style: none; margin: 0 0 1rem; padding: 0; border-top: 1px solid var(--border); }
.rows li { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between;
  padding: .75rem 0; border-bottom: 1px solid var(--border); }
.rows .what { flex: 1 1 14rem; min-width: 0; } .rows .what small { display: block; color: var(--muted); }
.do { display: flex; flex-wrap: wrap; gap: .5rem; } .rows form { margin: 0; }
.rows button, .rows .button { padding: .375rem .875rem; }
.tag { display: inline-block; font-size: .8125rem; border: 1px solid var(--control); border-radius: 99px; padding: 0 .5rem; margin-inline-start: .375rem; }
.qr { background: #fff; border-radius: 8px; padding: .5rem; width: 13rem; max-width: 100%; margin: 0 0 1rem; }
.qr svg { display: block; width: 100%; height: auto; }
.secret { font-family: ui-monospace, SFMono-Regular, Menlo, monospace; }
.codes { display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: .5rem; list-style: none; padding: 0; margin: 0 0 1rem;
  font-family: ui-monospace, SFMono-Regular, Menlo, monospace; font-size: 1.0625rem; }
.choice { display: flex; gap: .75rem; align-items: center; min-height: 44px; font-weight: 400; margin: 0 0 .75rem; }
details > summary { cursor: pointer; min-height: 44px; display: flex; align-items: center; color: var(--link); }
details > summary::before { content: '+'; width: 1.25rem; font-weight: 700; } details[open] > summary::before { content: '\\2212'; }
details > :not(summary) { margin-top: .5rem; } details > .said { margin-bottom: 1rem; }
.lost { margin-bottom: 1rem; } .lost ul { margin: 0 0 1rem; padding-inline-start: 1.25rem; }
@media (min-width: 40rem) { .card dl.facts > div { grid-template-columns: 6.5rem 1fr; }
  body:not(:has(.wide)) .brand { justify-content: center; font-size: 1.125rem; }
  body:not(:has(.wide)) header.frame { padding-top: min(9vh, 6rem); } body:not(:has(.wide)) .foot { justify-content: center; } }
@media (forced-colors: active) { .said { border-color: CanvasText; } .wrong .mark { color: CanvasText; } }
@media print { form, .do, .foot-links, header, footer { display: none; } }
`;
