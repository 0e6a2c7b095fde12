/** The mailbox's additions to the stylesheet of hosted pages. */
export const styles = `
:root { --measure: 60rem; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.mails { list-style: none; margin: 0; padding: 0; overflow: hidden; }
.mails li + li { border-top: 1px solid var(--border); }
.mails a { display: grid; gap: .125rem 1.5rem; padding: .875rem 1.25rem; color: var(--text); text-decoration: none; }
.mails a:hover { background: var(--background); }
.mails a:focus-visible { outline-offset: -3px; }
.mails .subject { font-weight: 600; color: var(--link); }
.mails .to, .mails .when { color: var(--muted); font-size: .875rem; }
.turn { display: flex; flex-wrap: wrap; gap: 0 1.5rem; }
.turn a { display: inline-flex; align-items: center; min-height: 44px; }
.links { margin: 0; padding: 0; list-style: none; }
.links li { display: flex; flex-wrap: wrap; align-items: center; gap: 0 .75rem; padding-block: .125rem; }
.links a { display: inline-flex; align-items: center; min-height: 44px; } .links li + li { border-top: 1px solid var(--border); }
iframe { display: block; width: 100%; height: 28rem; resize: vertical; background: #fff; color-scheme: light;
  border: 1px solid var(--border); border-radius: min(var(--radius), 8px); }
pre { margin: 0; padding: 1rem; overflow-x: auto; white-space: pre-wrap; font: .875rem/1.6 ui-monospace, Menlo, Consolas, monospace;
  background: var(--background); border-radius: min(var(--radius), 8px); }
code { font: .9em ui-monospace, Menlo, Consolas, monospace; }
summary { display: flex; align-items: center; min-height: 44px; cursor: pointer; font-weight: 600; color: var(--link); }
summary::before { content: '▸'; width: 1.25rem; } details[open] > summary::before { content: '▾'; }
details { margin-block: 1rem; }
@media (min-width: 40rem) {
  .mails.card { padding: 0; }
  .mails a { grid-template-columns: minmax(0, 1fr) auto; padding: 1rem 1.5rem; }
  .mails .subject { grid-column: 1; } .mails .to { grid-column: 1; } .mails .when { grid-column: 2; grid-row: 1 / span 2; align-self: center; }
}
`;
