/**
 * The styles that pages for developers add to the stylesheet of hosted pages. Messages come first: everything around
 * them is small.
 */
export const developerStyles = `
:root { --measure: 72rem; --code: ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.brand { padding-block: .75rem .25rem; font-size: .875rem; }
.foot:empty { display: none; }
main.frame { display: flex; flex-direction: column; padding-block: 0 1rem; min-width: 0; }
h1 { font-size: 1.25rem; margin: 0; }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem; margin-bottom: .75rem; }
.bar form { margin: 0; } .bar .turn { flex: 1; }
.bar h1 { margin-right: auto; } .bar button { flex: none; padding-inline: .875rem; white-space: nowrap; }
.search { display: flex; gap: .5rem; order: 1; flex: 1 1 100%; } .search input { min-width: 0; flex: 1; }
@media (min-width: 40rem) { .search { order: 0; flex: 1 1 14rem; max-width: 34rem; } }
.ask { position: fixed; inset: 0; margin: auto !important; width: min(24rem, calc(100vw - 2rem)); height: fit-content; padding: 1.5rem;
  color: inherit; }
.ask::backdrop { background: rgb(0 0 0 / .4); }
.entries { list-style: none; margin: 0; padding: 0 !important; overflow: hidden; }
.entries li + li { border-top: 1px solid var(--border); }
.entries a { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 1rem; padding: .625rem 1rem; min-height: 44px;
  color: var(--text); text-decoration: none; line-height: 1.45; }
.entries a:hover { background: var(--background); } .entries a.new { box-shadow: inset 3px 0 var(--link); }
.entries a:focus-visible { outline-offset: -3px; }
.entries a > span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.entries .subject { grid-column: 1; font-weight: 600; }
.entries .when { grid-column: 2; grid-row: 1 / span 2; align-self: center; color: var(--muted); font-size: .875rem; }
.badge { display: inline-block; padding: 0 .375rem; border: 1px solid var(--border); border-radius: 6px; font-size: .8125rem;
  font-weight: 400; color: var(--muted); background: var(--background); }
main > .about { margin: 1rem 0 0; }
.turn { display: flex; flex-wrap: wrap; gap: 0 1.25rem; }
.turn a { display: inline-flex; align-items: center; min-height: 44px; }
code { font: .9em var(--code); }
`;
