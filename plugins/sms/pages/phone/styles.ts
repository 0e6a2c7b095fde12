/** The additional styles of /dev/phone: conversations look as they do on phones, with svc's texts on the left. */
export const styles = `
:root { --measure: 46rem; }
.entries .said { grid-column: 1; color: var(--muted); font-size: .875rem; }
.texts { list-style: none; margin: 0; padding: 0; display: flex; flex-direction: column; gap: .75rem; }
.texts li { display: flex; flex-direction: column; align-items: flex-start; max-width: min(34rem, 88%); }
.texts .in { align-self: flex-end; align-items: flex-end; }
.bubble { margin: 0; padding: .5rem .875rem; border: 1px solid var(--border); border-radius: 14px 14px 14px 4px;
  background: var(--surface); white-space: pre-wrap; }
.in .bubble { border-radius: 14px 14px 4px; border-color: transparent; background: var(--primary); color: var(--on-primary); }
.texts .new .bubble { box-shadow: 0 0 0 2px var(--link); }
.facts-line { margin: .125rem .25rem 0; color: var(--muted); font-size: .8125rem; display: flex; flex-wrap: wrap; gap: 0 .5rem; }
.write { margin-top: 1.25rem; padding: 1rem 1.25rem; }
details.write { margin: 0 0 1rem; padding: 0; } details.write form { margin: 0; padding: 0 1.25rem 1rem; }
summary { display: flex; align-items: center; min-height: 44px; padding-inline: 1.25rem; font-weight: 600; cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary::before { content: '+'; width: 1.25rem; } [open] > summary::before { content: '−'; }
.write .fields { display: grid; gap: .75rem; } .write textarea { resize: vertical; min-height: 4.5rem; display: block; }
.write .line { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: .75rem; align-items: center; }
.words { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: .75rem; padding-top: .75rem; border-top: 1px solid var(--border); }
.words button { padding-inline: .875rem; }
.problem { border-left: 4px solid var(--link); padding: .5rem .875rem; margin: 0 0 1rem; background: var(--surface); }
#texts > .card { padding: 1.25rem; }
@media (min-width: 40rem) { h1 { font-size: 1.375rem; } .write .fields { grid-template-columns: 1fr 1fr; } .write .wide { grid-column: 1 / -1; } }
@media (forced-colors: active) { .bubble, .in .bubble { border: 1px solid; } }
`;
