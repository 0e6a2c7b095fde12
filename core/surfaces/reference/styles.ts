import { defaultPageTheme, darkPalette, lightPalette, type Palette } from '../pages/theme.js';

/** Syntax colours; each has a contrast of 4.5:1 on the backgrounds of code. */
const light = {
  key: '#1a56b0',
  string: '#1c6b38',
  number: '#9a3b00',
  warn: '#a3281d',
  good: '#1c6b38',
  cost: '#7a4b00',
};
const dark = {
  key: '#8fb8f6',
  string: '#93d3a2',
  number: '#f0b27a',
  warn: '#ff9d92',
  good: '#93d3a2',
  cost: '#e8bf6a',
};

const variables = (palette: Palette, more: typeof light): string =>
  [
    `--ground: ${palette.surface}; --shade: ${palette.background}; --text: ${palette.text}; --muted: ${palette.muted};`,
    `--link: ${palette.link}; --border: ${palette.border}; --control: ${palette.control};`,
    ...Object.entries(more).map(([name, colour]) => `--${name}: ${colour};`),
  ].join(' ');

const frame = `
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 4.5rem; }
body { margin: 0; background: var(--ground); color: var(--text); overflow-wrap: anywhere;
  font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif; }
code, pre, kbd, .entry h2 { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace; }
a { color: var(--link); text-underline-offset: .2em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: fixed; z-index: 3; top: .5rem; left: .5rem; padding: .5rem 1rem; background: var(--ground); transform: translateY(-5rem); }
.skip:focus { transform: none; }
header { position: sticky; top: 0; z-index: 2; display: flex; align-items: center; gap: .75rem; height: 3.5rem; padding: 0 1rem;
  background: var(--ground); border-bottom: 1px solid var(--border); }
.brand { color: var(--text); text-decoration: none; white-space: nowrap; min-height: 44px; display: inline-flex; align-items: center; gap: .35em; }
.machine { margin-left: auto; padding-block: .5rem; font-size: .875rem; display: none; }
search { position: relative; flex: 1; max-width: 34rem; }
search input { width: 100%; height: 2.5rem; padding: 0 2.25rem 0 .75rem; font: inherit; color: inherit; background: var(--shade);
  border: 1px solid var(--control); border-radius: 8px; appearance: none; }
search input::placeholder { color: var(--muted); opacity: 1; }
search kbd { position: absolute; right: .625rem; top: .5rem; padding: 0 .45rem; font-size: .8125rem; color: var(--muted);
  border: 1px solid var(--border); border-radius: 5px; pointer-events: none; background: var(--ground); }
search input:not(:placeholder-shown) { padding-right: .625rem; }
search input:focus + kbd, search input:not(:placeholder-shown) + kbd { display: none; }
.menu { margin-left: auto; min-height: 44px; padding: 0 .75rem; font: inherit; font-size: .875rem; color: var(--link); background: none;
  border: 1px solid var(--control); border-radius: 8px; }
nav { font-size: .9375rem; }
nav[popover] { inset: 3.5rem 0 auto auto; width: min(24rem, 100vw); height: auto; max-height: calc(100dvh - 3.5rem); margin: 0;
  padding: 1rem; overflow-y: auto; color: inherit; background: var(--ground); border: 1px solid var(--border); }
nav ul { list-style: none; margin: 0 0 .5rem; padding: 0; }
nav a { display: block; padding: .625rem .75rem; color: var(--text); text-decoration: none; border-radius: 6px; line-height: 1.35; }
nav a:hover { background: var(--shade); }
nav a[aria-current] { background: var(--shade); box-shadow: inset 3px 0 var(--link); }
nav summary { padding: .625rem .75rem; font-weight: 650; cursor: pointer; border-radius: 6px; }
.count { color: var(--muted); font-weight: 400; font-size: .8125rem; }
main { min-width: 0; padding: 1.5rem 1rem 6rem; outline: 0; }
footer { padding: 1rem; }
`;

const content = `
h1 { font-size: 1.875rem; letter-spacing: -.02em; line-height: 1.2; margin: 0 0 .75rem; }
h2 { font-size: 1.125rem; line-height: 1.35; margin: 0 0 .25rem; }
h2 a { display: inline-block; padding-block: .125rem; color: inherit; text-decoration: none; }
h2 a:hover { text-decoration: underline; }
h3, h2.minor { font-size: .9375rem; margin: 1.5rem 0 .375rem; }
p { margin: 0 0 .75rem; text-wrap: pretty; }
.lead { color: var(--muted); max-width: 44rem; margin-bottom: 2rem; }
.entry { padding-block: 2rem; border-top: 1px solid var(--border); content-visibility: auto; contain-intrinsic-size: auto 60rem; }
.entry.error { padding-block: 1.25rem; }
.entry.error, .entry.resource { contain-intrinsic-size: auto 12rem; max-width: 44rem; }
.entry:target h2 { box-shadow: -.75rem 0 var(--ground), -1rem 0 var(--link); }
.summary { font-size: 1.0625rem; }
.path { display: flex; flex-wrap: wrap; gap: .375rem .5rem; align-items: center; font-size: .875rem; color: var(--muted); }
.label { padding: 0 .5rem; font-size: .8125rem; line-height: 1.375rem; border: 1px solid; border-radius: 99px; white-space: nowrap;
  color: var(--muted); }
.destructive { color: var(--warn); } .retrySafe { color: var(--good); } .billable { color: var(--cost); } .read { color: var(--link); }
p code, dd code, td code, li code { font-size: .875em; }
var { font-style: italic; }
.terms { margin: 0; font-size: .9375rem; }
.terms > div { display: grid; grid-template-columns: 6rem 1fr; gap: .75rem; padding-block: .125rem; }
.labels > div { padding-block: .25rem; }
dt { color: var(--muted); } dd { margin: 0; }
table { width: 100%; border-collapse: collapse; font-size: .9375rem; line-height: 1.45; }
th, td { text-align: left; vertical-align: top; padding: .5rem 0; border-top: 1px solid var(--border); }
th { width: 38%; padding-right: .75rem; font-weight: 600; }
th code { font-size: .875rem; }
td p { margin: 0; color: var(--text); } td p + p { margin-top: .125rem; color: var(--muted); }
td i { font-style: normal; color: var(--muted); } td b { color: var(--warn); font-weight: 600; font-size: .875rem; }
td i { font-size: .875rem; }
td p > code { padding: .05rem .3rem; background: var(--shade); border-radius: 4px; }
.d1 th { padding-left: 1rem; } .d2 th { padding-left: 2rem; } .d3 th { padding-left: 3rem; }
.d4 th { padding-left: 3.5rem; } .d5 th, .d6 th, .d7 th { padding-left: 4rem; }
tr:not(.d0) th, tr:not(.d0) td { border-top-style: dashed; }
tr:not(.d0) th code { font-weight: 400; }
.names { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1rem; font-size: .9375rem; }
.names a, .codes a { display: inline-block; padding-block: .125rem; }
.status { font: .8125rem/1.375rem ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace; color: var(--muted); }
.codes { margin: 0; font-size: .9375rem; }
.codes > div { padding-block: .5rem; border-top: 1px solid var(--border); }
.fix, .by { color: var(--muted); }
.shared { font-size: .9375rem; margin-top: .5rem; }
.shared summary { padding-block: .5rem; color: var(--muted); cursor: pointer; }
.none { color: var(--muted); }
pre { margin: 0; padding: .875rem 1rem; max-height: 26rem; overflow: auto; font-size: .78125rem; line-height: 1.6; white-space: pre-wrap;
  background: var(--shade); border: 1px solid var(--border); border-radius: 8px; tab-size: 2; }
.examples :is(h3, h2) { margin-top: 1.25rem; } .examples > :is(h3, h2):first-child { margin-top: 0; }
.forms { position: relative; margin: 0; padding: 0; border: 0; min-width: 0; display: flex; flex-wrap: wrap; }
.forms input { position: absolute; opacity: 0; width: 3rem; height: 2.5rem; margin: 0; pointer-events: none; }
.forms label { padding: .625rem .875rem; font-size: .875rem; line-height: 1.25rem; color: var(--muted); cursor: pointer;
  border-bottom: 2px solid transparent; }
.forms :checked + label { color: var(--text); font-weight: 650; border-color: var(--link); }
.forms :focus-visible + label { outline: 3px solid var(--link); outline-offset: -2px; border-radius: 6px; }
.forms pre { display: none; width: 100%; }
.forms :nth-of-type(1):checked ~ pre:nth-of-type(1), .forms :nth-of-type(2):checked ~ pre:nth-of-type(2),
.forms :nth-of-type(3):checked ~ pre:nth-of-type(3), .forms :nth-of-type(4):checked ~ pre:nth-of-type(4) { display: block; }
.copy { margin-left: auto; align-self: center; min-height: 2rem; padding: 0 .625rem; font: inherit; font-size: .8125rem; cursor: pointer;
  color: var(--link); background: none; border: 1px solid var(--border); border-radius: 6px; }
::highlight(key) { color: var(--key); } ::highlight(string) { color: var(--string); } ::highlight(number) { color: var(--number); }
#results { max-width: 46rem; } #results ol { list-style: none; margin: 0; padding: 0; } #results li { border-top: 1px solid var(--border); }
#results a { text-decoration: none; display: flex; align-items: center; min-height: 44px; font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
#results a:hover { text-decoration: underline; }
#results p { color: var(--muted); margin-top: -.375rem; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; }
.products { list-style: none; margin: 1.5rem 0; padding: 0; } .products li { border-top: 1px solid var(--border); padding-bottom: .5rem; color: var(--muted); }
.products a:first-child { display: flex; align-items: center; min-height: 44px; font-weight: 600; margin-bottom: -.5rem; }
`;

const wide = `
@media (max-width: 30rem) { .brand { font-size: 0; } .brand b { font-size: 1rem; } nav[popover] { width: 100vw; border-width: 1px 0; } }
@media (pointer: coarse) {
  search kbd { display: none; } search input, .copy { height: 44px; }
  nav a, nav summary, .shared summary, .forms label { display: flex; align-items: center; flex-wrap: wrap; min-height: 44px; gap: 0 .25rem; }
  h2 a { display: inline-block; padding-block: .625rem; margin-block: -.625rem; }
  .names a, .codes a { display: inline-flex; align-items: center; min-height: 44px; }
  p a, dd a { display: inline-block; padding-block: .25rem; }
}
@media (min-width: 56rem) {
  .menu { display: none; } .machine { display: block; }
  body { display: grid; grid-template-columns: 17.5rem minmax(0, 1fr); grid-template-rows: auto 1fr; }
  header { grid-column: 1 / -1; padding-inline: 1.5rem; } .brand { width: 15rem; }
  nav[popover] { display: block; position: sticky; inset: auto; top: 3.5rem; width: auto; height: calc(100vh - 3.5rem); border-width: 0 1px 0 0;
    max-height: none; font-size: .875rem; scrollbar-width: thin; align-self: start; padding: 1rem .75rem 3rem; }
  nav a { padding: .3125rem .75rem; } nav summary { padding: .375rem .75rem; }
  main { padding: 2rem 2rem 50vh; max-width: 92rem; }
}
@media (min-width: 72rem) {
  .operation, .event { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 2rem; align-items: start; }
  .examples { position: sticky; top: 4.75rem; } 
}
@media (max-width: 71.99rem) { .facts { max-width: 46rem; } .examples { margin-top: 1.5rem; max-width: 46rem; } }
@media (prefers-reduced-motion: no-preference) { .skip { transition: transform .15s; } }
@media (forced-colors: active) { .forms :checked + label { border-color: Highlight; } nav a[aria-current] { outline: 1px solid; } }
@media print { header, nav, .forms label, .copy { display: none !important; } .entry { content-visibility: visible; break-inside: avoid; }
  .forms pre { display: block; margin-top: .5rem; } pre { max-height: none; } }
`;

/** The stylesheet of the reference, in the default theme. */
export const referenceStyles = (): string =>
  [
    `:root { color-scheme: light dark; ${variables(lightPalette(defaultPageTheme), light)} }`,
    `@media (prefers-color-scheme: dark) { :root { ${variables(darkPalette(defaultPageTheme), dark)} } }`,
    frame,
    content,
    wide,
  ].join('\n');
