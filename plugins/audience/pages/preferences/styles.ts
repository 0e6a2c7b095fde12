/** The styles that the preferences page adds to the stylesheet of hosted pages. */
export const styles = `
main.frame { display: grid; gap: 1rem; align-content: start; }
.said { display: flex; gap: .75rem; align-items: flex-start; background: var(--surface); border: 2px solid var(--primary);
  border-radius: var(--radius); padding: .875rem 1.125rem; }
.said:focus { outline: none; }
.said p { margin: 0; font-weight: 600; } .said strong + span { font-weight: 400; } .said strong { display: block; }
.mark { flex: none; font-weight: 700; line-height: 1.6; color: var(--link); }
fieldset { border: 0; margin: 0; padding: 0; min-width: 0; }
fieldset + fieldset { margin-top: 2rem; }
legend { padding: 0; width: 100%; } legend h2 { margin: 0; }
.address { margin: 0 0 .5rem; color: var(--muted); font-size: .875rem; }
fieldset .note { margin: .5rem 0 1rem; padding: .875rem 1rem; font-size: .9375rem; }
.note button { margin-top: .25rem; }
.topics { list-style: none; margin: .5rem 0 0; padding: 0; border-top: 1px solid var(--border); }
.topics li { border-bottom: 1px solid var(--border); }
.choice { display: flex; gap: .875rem; align-items: flex-start; min-height: 44px; margin: 0; padding: .75rem 0; font-weight: 400; cursor: pointer; }
.choice input { margin-top: .125rem; }
.choice .name { display: block; font-weight: 600; } .choice .about { display: block; color: var(--muted); font-size: .9375rem; line-height: 1.5; }
.acts { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem; }
.card.apart { background: transparent; } .card.apart h2 { margin-top: 0; } .card.apart .acts, .leave .acts { margin-top: 0; }
.card > form { margin-top: 1.75rem; }
h1, h2, .name, button { hyphens: auto; hyphenate-limit-chars: 16 6 6; }
button { text-align: start; } button:hover { text-decoration: underline; text-underline-offset: .2em; }
@media (max-width: 30rem) { .acts button { width: 100%; justify-content: center; text-align: center; } }
@media (forced-colors: active) { .said { border-color: CanvasText; } }
`;
