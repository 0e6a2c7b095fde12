/**
 * The mailbox's additions to the stylesheet of pages for developers. Mail has priority: everything around it is small.
 */
export const styles = `
#mails .card { padding: 1.25rem; }
.entries .to { grid-column: 1; display: flex; gap: .375rem; color: var(--muted); font-size: .875rem; }
.to > * { overflow: hidden; text-overflow: ellipsis; } .to > .bcc { flex: 0 1 auto; min-width: 4rem; }
.entries .subject { order: -1; } .bcc { padding: 0 .375rem; border: 1px solid var(--border); border-radius: 6px; }
.clip svg { vertical-align: -.2em; margin-right: .375rem; }
.mail { display: flex; flex-direction: column; flex: 1; padding: .875rem .75rem .75rem !important; min-width: 0; }
dl.about { margin: .5rem 0; font-size: .875rem; display: grid; gap: .125rem 1.25rem; }
dl.about > div { display: flex; gap: .5rem; min-width: 0; } dl.about dt { flex: none; min-width: 4.5rem; } dl.about dd { min-width: 0; }
.files { list-style: none; margin: .25rem 0 .5rem; padding: 0; display: flex; flex-wrap: wrap; gap: .5rem; font-size: .875rem; }
.files li { display: flex; flex-wrap: wrap; align-items: center; gap: 0 .5rem; padding-inline: .75rem; border: 1px solid var(--border);
  border-radius: 8px; min-height: 44px; }
.files a { display: inline-flex; align-items: center; min-height: 42px; }
.tabs { display: flex; flex-wrap: wrap; gap: 0 .25rem; border-bottom: 1px solid var(--border); margin-bottom: .75rem; }
.tabs a { display: inline-flex; align-items: center; min-height: 44px; padding-inline: .25rem; white-space: nowrap; text-decoration: none;
  font-size: .875rem; color: var(--muted); border-bottom: 3px solid transparent; }
.tabs a:hover { color: var(--text); } .tabs a:focus-visible { outline-offset: -3px; }
.tabs a[aria-current] { color: var(--text); font-weight: 600; border-color: var(--link); }
iframe { display: block; flex: 1; width: 100%; min-height: 75vh; background: #fff; color-scheme: light; border: 0;
  border-radius: min(var(--radius), 8px); }
.links { margin: 0; padding: 0; list-style: none; }
.links a { display: flex; align-items: center; min-height: 44px; } .links li + li { border-top: 1px solid var(--border); }
pre { flex: 1; margin: 0; padding: 1rem; overflow-x: auto; white-space: pre-wrap; font: .875rem/1.6 var(--code);
  background: var(--background); border-radius: min(var(--radius), 8px); }
@media (min-width: 40rem) {
  .brand { padding-block: 1rem .25rem; } h1 { font-size: 1.375rem; } iframe { min-height: 24rem; }
  .entries a { grid-template-columns: 16rem minmax(0, 1fr) auto; align-items: center; padding: .5rem 1.25rem; }
  .entries .to { grid-column: 1; grid-row: 1; font-size: 1rem; color: var(--text); } .entries .subject { grid-column: 2; order: 0; }
  .entries .when { grid-column: 3; grid-row: 1; }
  .mail { padding: 1.25rem 1.5rem !important; } .tabs a { padding-inline: .75rem; font-size: 1rem; }
  dl.about { grid-template-columns: repeat(2, minmax(0, 1fr)); }
}
@media (forced-colors: active) { .tabs a[aria-current] { border-color: Highlight; } }
`;
