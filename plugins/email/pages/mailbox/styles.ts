import { unseenStyle } from '#core/surfaces/pages/developer-page.js';

/** The mailbox's additions to the stylesheet of hosted pages. Mail comes first: everything around it is small. */
export const styles = `
:root { --measure: 72rem; --code: ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace; }
${unseenStyle}
.brand { padding-block: .75rem .25rem; font-size: .875rem; }
.foot:empty { display: none; }
main.frame { display: flex; flex-direction: column; padding-block: 0 1rem; min-width: 0; }
h1 { font-size: 1.25rem; margin: 0; }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem; margin-bottom: .75rem; }
.bar form { margin: 0; } .bar .turn { flex: 1; }
.search { display: flex; gap: .5rem; order: 1; flex: 1 1 100%; } .search input { min-width: 0; flex: 1; }
.bar h1 { margin-right: auto; } .bar button { flex: none; padding-inline: .875rem; white-space: nowrap; }
.ask { position: fixed; inset: 0; margin: auto !important; width: min(24rem, calc(100vw - 2rem)); height: fit-content; padding: 1.5rem;
  color: inherit; }
.ask::backdrop { background: rgb(0 0 0 / .4); }
.mails { list-style: none; margin: 0; padding: 0 !important; overflow: hidden; }
.mails li + li { border-top: 1px solid var(--border); }
.mails a { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 1rem; padding: .625rem 1rem; min-height: 44px;
  color: var(--text); text-decoration: none; line-height: 1.45; }
.mails a:hover { background: var(--background); } .mails a.new { box-shadow: inset 3px 0 var(--link); }
.mails a:focus-visible { outline-offset: -3px; }
.mails a > span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.mails .subject { grid-column: 1; font-weight: 600; }
.mails .to { grid-column: 1; display: flex; gap: .375rem; color: var(--muted); font-size: .875rem; }
.to > * { overflow: hidden; text-overflow: ellipsis; } .to > .bcc { flex: 0 1 auto; min-width: 4rem; }
.mails .when { grid-column: 2; grid-row: 1 / span 2; align-self: center; color: var(--muted); font-size: .875rem; }
.mails .subject { order: -1; } .bcc { padding: 0 .375rem; border: 1px solid var(--border); border-radius: 6px; }
.badge { display: inline-block; padding: 0 .375rem; border: 1px solid var(--border); border-radius: 6px; font-size: .8125rem;
  font-weight: 400; color: var(--muted); background: var(--background); }
.clip svg { vertical-align: -.2em; margin-right: .375rem; }
main > .about { margin: 1rem 0 0; } #mails .card { padding: 1.25rem; }
.turn { display: flex; flex-wrap: wrap; gap: 0 1.25rem; }
.turn a { display: inline-flex; align-items: center; min-height: 44px; }
.mail { display: flex; flex-direction: column; flex: 1; padding: .875rem .75rem .75rem !important; min-width: 0; }
dl.about { margin: .5rem 0; font-size: .875rem; display: grid; gap: .125rem 1.25rem; }
dl.about > div { display: flex; gap: .5rem; min-width: 0; } dl.about dt { flex: none; min-width: 4.5rem; } dl.about dd { min-width: 0; }
.files { list-style: none; margin: .25rem 0 .5rem; padding: 0; display: flex; flex-wrap: wrap; gap: .5rem; font-size: .875rem; }
.files li { display: flex; flex-wrap: wrap; align-items: center; gap: 0 .5rem; padding-inline: .75rem; border: 1px solid var(--border);
  border-radius: 8px; min-height: 44px; }
.files a { display: inline-flex; align-items: center; min-height: 42px; }
.tabs { display: flex; overflow-x: auto; border-bottom: 1px solid var(--border); margin-bottom: .75rem; }
.tabs a { display: inline-flex; align-items: center; min-height: 44px; padding-inline: .75rem; white-space: nowrap; text-decoration: none;
  color: var(--muted); border-bottom: 3px solid transparent; }
.tabs a:hover { color: var(--text); } .tabs a:focus-visible { outline-offset: -3px; }
.tabs a[aria-current] { color: var(--text); font-weight: 600; border-color: var(--link); }
iframe { display: block; flex: 1; width: 100%; min-height: 75vh; background: #fff; color-scheme: light; border: 0;
  border-radius: min(var(--radius), 8px); }
.links { margin: 0; padding: 0; list-style: none; }
.links a { display: flex; align-items: center; min-height: 44px; } .links li + li { border-top: 1px solid var(--border); }
pre { flex: 1; margin: 0; padding: 1rem; overflow-x: auto; white-space: pre-wrap; font: .875rem/1.6 var(--code);
  background: var(--background); border-radius: min(var(--radius), 8px); }
code { font: .9em var(--code); }
@media (min-width: 40rem) {
  .brand { padding-block: 1rem .25rem; } h1 { font-size: 1.375rem; } iframe { min-height: 24rem; }
  .search { order: 0; flex: 1 1 14rem; max-width: 34rem; }
  .mails a { grid-template-columns: 16rem minmax(0, 1fr) auto; align-items: center; padding: .5rem 1.25rem; }
  .mails .to { grid-column: 1; grid-row: 1; font-size: 1rem; color: var(--text); } .mails .subject { grid-column: 2; order: 0; }
  .mails .when { grid-column: 3; grid-row: 1; }
  .mail { padding: 1.25rem 1.5rem !important; }
  dl.about { grid-template-columns: repeat(2, minmax(0, 1fr)); }
}
@media (forced-colors: active) { .tabs a[aria-current] { border-color: Highlight; } }
`;
