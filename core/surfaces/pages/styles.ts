import { darkPalette, lightPalette, type PageTheme, type Palette } from './theme.js';

const radii = { none: '0px', small: '8px', large: '18px' } as const;

const fonts = {
  system: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif",
  serif: "ui-serif, Georgia, 'Noto Serif', 'Liberation Serif', serif",
  mono: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace",
} as const;

const variables = (palette: Palette): string =>
  [
    `--background: ${palette.background};`,
    `--surface: ${palette.surface};`,
    `--text: ${palette.text};`,
    `--muted: ${palette.muted};`,
    `--primary: ${palette.primary};`,
    `--on-primary: ${palette.onPrimary};`,
    `--link: ${palette.link};`,
    `--border: ${palette.border};`,
    `--control: ${palette.control};`,
    `--problem: ${palette.problem};`,
  ].join(' ');

/** Shared by all pages. Mobile first; touch targets have 44px (WCAG 2.2, 2.5.5). */
const base = `
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; min-height: 100vh; min-height: 100dvh; display: grid; grid-template-rows: auto 1fr auto;
  background: var(--background); color: var(--text); font: 1rem/1.6 var(--font); overflow-wrap: anywhere; }
.frame { width: 100%; max-width: var(--measure, 38rem); margin-inline: auto; padding-inline: 1rem; }
.brand { display: flex; align-items: center; gap: .75rem; padding-block: 1.25rem; font-weight: 650; }
.brand img { height: 2rem; width: auto; max-width: 10rem; object-fit: contain; }
main.frame { padding-block: .25rem 2rem; }
.foot { padding-block: 1rem 1.5rem; color: var(--muted); font-size: .875rem; display: flex; flex-wrap: wrap; gap: 0 1.5rem; }
.foot a { display: inline-flex; align-items: center; min-height: 44px; }
.card { background: var(--surface); border: 1px solid var(--border); border-radius: var(--radius); padding: 1.5rem 1.25rem; }
.card > :first-child { margin-top: 0; } .card > :last-child { margin-bottom: 0; }
h1, h2 { line-height: 1.25; text-wrap: balance; margin: 0 0 .75rem; }
h1 { font-size: 1.5rem; letter-spacing: -.01em; } h2 { font-size: 1.0625rem; margin-top: 1.75rem; }
p { margin: 0 0 1rem; text-wrap: pretty; }
.lead { font-size: 1.0625rem; } .muted { color: var(--muted); } small { font-size: .875rem; }
a { color: var(--link); text-underline-offset: .2em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.actions { display: flex; flex-wrap: wrap; gap: 0 1.5rem; } .actions a { display: inline-flex; align-items: center; min-height: 44px; }
dl.facts { margin: 1.5rem 0; border-top: 1px solid var(--border); }
dl.facts > div { padding: .75rem 0; border-bottom: 1px solid var(--border); }
dt { color: var(--muted); font-size: .875rem; } dd { margin: 0; }
.note { background: var(--background); border-radius: var(--radius); padding: 1rem 1.25rem; margin: 1.5rem 0 0; }
.note > :first-child { margin-top: 0; } .note > :last-child { margin-bottom: 0; }
label { display: block; font-weight: 600; margin-bottom: .375rem; }
input:not([type=checkbox], [type=radio]), select, textarea { width: 100%; min-height: 44px; padding: .5rem .75rem; font: inherit;
  color: var(--text); background: var(--surface); border: 1px solid var(--control); border-radius: min(var(--radius), 10px); }
input:is([type=checkbox], [type=radio]) { appearance: none; display: inline-grid; place-content: center; flex: none; width: 1.375rem;
  height: 1.375rem; margin: 0; background: var(--surface); border: 1.5px solid var(--control); border-radius: 4px; cursor: pointer; }
input[type=radio] { border-radius: 50%; }
input:is([type=checkbox], [type=radio]):checked { background: var(--primary); }
input[type=checkbox]:checked::before { content: ''; width: .375rem; height: .75rem; margin-bottom: .1875rem; transform: rotate(45deg);
  border: solid var(--on-primary); border-width: 0 2.5px 2.5px 0; }
input[type=radio]:checked::before { content: ''; width: .5rem; height: .5rem; border-radius: 50%; background: var(--on-primary); }
::placeholder { color: var(--muted); opacity: 1; }
button, .button { display: inline-flex; align-items: center; justify-content: center; min-height: 44px; padding: .5rem 1.25rem;
  font: inherit; font-weight: 600; color: var(--on-primary); background: var(--primary); border: 1px solid transparent;
  border-radius: min(var(--radius), 12px); text-decoration: none; cursor: pointer; }
.quiet { color: var(--link); background: transparent; border-color: var(--control); }
@media (min-width: 40rem) {
  .frame { padding-inline: 1.5rem; } .brand { padding-block: 2rem 1.5rem; } .card { padding: 2.25rem 2.5rem; }
  h1 { font-size: 1.75rem; }
  dl.facts > div { display: grid; grid-template-columns: 9rem 1fr; gap: 1rem; padding: .875rem 0; align-items: baseline; }
}
@media (forced-colors: active) { .note, button, .button { border: 1px solid; }
  input:is([type=checkbox], [type=radio]) { appearance: auto; } input::before { content: none !important; } }
@media print { body { display: block; background: none; } .card { border: 0; padding: 0; } }
`;

/** The part of a page's stylesheet that depends on its theme: the custom properties, in light and dark. */
export function themeRules(theme: PageTheme): string {
  const shape = `--radius: ${radii[theme.radius]}; --font: ${fonts[theme.font]};`;
  return [
    `:root { color-scheme: light dark; ${variables(lightPalette(theme))} ${shape} }`,
    `@media (prefers-color-scheme: dark) { :root { ${variables(darkPalette(theme))} } }`,
  ].join('\n');
}

/**
 * The stylesheet of a page with its theme.
 * @param more additional rules
 * @throws Error if it would end its style element; values of themes cannot, because they are validated
 */
export function stylesheet(theme: PageTheme, more = ''): string {
  const sheet = `${themeRules(theme)}\n${base}${more}`;
  if (sheet.includes('</')) throw new Error('A page’s stylesheet must not contain "</".');
  return sheet;
}
