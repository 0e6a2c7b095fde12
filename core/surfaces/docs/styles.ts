import { defaultPageTheme, darkPalette, lightPalette, type Palette } from '../pages/theme.js';

/** Colours of code and labels; each has a contrast of 4.5:1 on both backgrounds. */
const light = {
  key: '#1a56b0',
  string: '#1c6b38',
  number: '#9a3b00',
  word: '#8a2f8f',
  comment: '#5f6775',
  warn: '#a3281d',
  good: '#1c6b38',
  cost: '#7a4b00',
};
const dark = {
  key: '#8fb8f6',
  string: '#93d3a2',
  number: '#f0b27a',
  word: '#dba3e6',
  comment: '#9aa3b2',
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
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 4.75rem; }
body { margin: 0; background: var(--ground); color: var(--text); overflow-wrap: anywhere;
  font: 1rem/1.6 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif; }
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
.machine { margin-left: auto; font-size: .875rem; display: none; gap: 1.25rem; }
.machine a { padding-block: .5rem; color: var(--muted); text-decoration: none; } .machine a:hover { color: var(--text); }
search { position: relative; flex: 1; max-width: 34rem; min-width: 0; }
search input { width: 100%; height: 2.5rem; padding: 0 2.25rem 0 .75rem; font: inherit; color: inherit; background: var(--shade);
  border: 1px solid var(--control); border-radius: 8px; appearance: none; }
search input::placeholder { color: var(--muted); opacity: 1; }
search kbd { position: absolute; right: .625rem; top: .5rem; padding: 0 .45rem; font-size: .8125rem; color: var(--muted);
  border: 1px solid var(--border); border-radius: 5px; pointer-events: none; background: var(--ground); }
search input:not(:placeholder-shown) { padding-right: .625rem; }
search input:focus + kbd, search input:not(:placeholder-shown) + kbd { display: none; }
#results { position: fixed; inset: 3.5rem 0 auto; max-height: calc(100dvh - 3.5rem); overflow-y: auto; overscroll-behavior: contain; padding: .5rem;
  background: var(--ground); border: 1px solid var(--border); box-shadow: 0 12px 32px rgb(0 0 0 / .18); }
#found { margin: .25rem .75rem .5rem; font-size: .8125rem; color: var(--muted); }
#results a { display: block; padding: .5rem .75rem; color: var(--text); text-decoration: none; border-radius: 6px; line-height: 1.4; }
#results a:hover, #results [aria-selected=true] { background: var(--shade); }
#results [aria-selected=true] { box-shadow: inset 3px 0 var(--link); }
#results b { font-weight: 600; } #results small { margin-left: .5rem; color: var(--muted); font-size: .8125rem; }
#results span { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; color: var(--muted); font-size: .875rem; }
.menu { margin-left: auto; min-height: 44px; padding: 0 .75rem; font: inherit; font-size: .875rem; color: var(--link); background: none;
  border: 1px solid var(--control); border-radius: 8px; }
nav { font-size: .9375rem; }
nav[popover] { inset: 3.5rem 0 auto auto; width: min(24rem, 100vw); height: auto; max-height: calc(100dvh - 3.5rem); margin: 0;
  padding: 1rem; overflow-y: auto; color: inherit; background: var(--ground); border: 1px solid var(--border); }
nav p { margin: 1.25rem .75rem .25rem; font-size: .8125rem; font-weight: 650; color: var(--text); } nav p:first-child { margin-top: 0; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav ul ul { margin: .125rem 0 .5rem .75rem; border-left: 1px solid var(--border); font-size: .875rem; }
nav a { display: block; padding: .625rem .75rem; color: var(--muted); text-decoration: none; border-radius: 6px; line-height: 1.35; }
nav a:hover { background: var(--shade); color: var(--text); }
nav a[aria-current] { background: var(--shade); color: var(--text); font-weight: 600; box-shadow: inset 3px 0 var(--link); }
main { min-width: 0; padding: 1.5rem 1rem 3rem; outline: 0; }
aside { margin-bottom: 1.5rem; font-size: .875rem; }
aside details { border: 1px solid var(--border); border-radius: 8px; }
aside summary { padding: 0 .875rem; line-height: 44px; color: var(--muted); cursor: pointer; }
aside ul { list-style: none; margin: 0; padding: 0 .875rem .5rem; } aside .h3 { padding-left: .875rem; }
aside a { display: block; padding: .5rem 0; color: var(--muted); text-decoration: none; line-height: 1.4; }
aside a:hover { color: var(--text); } aside a[aria-current] { color: var(--link); }
footer { padding: 0 1rem 3rem; max-width: 48rem; } footer p { font-size: .875rem; }
.turn { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; margin-bottom: 1rem; }
.turn a { display: block; padding: .75rem 1rem; min-height: 44px; border: 1px solid var(--border); border-radius: 8px; text-decoration: none; line-height: 1.4; }
.turn a:hover { border-color: var(--link); } .turn [rel=next] { grid-column: 2; text-align: right; }
.turn small { display: block; color: var(--muted); font-size: .8125rem; }
`;

const content = `
h1 { font-size: 1.875rem; letter-spacing: -.02em; line-height: 1.2; margin: 0 0 .75rem; text-wrap: balance; }
h1 code { font-size: .9em; }
h2 { font-size: 1.125rem; line-height: 1.35; margin: 0 0 .25rem; }
h2 a { display: inline-block; padding-block: .125rem; color: inherit; text-decoration: none; }
h2 a:hover { text-decoration: underline; }
h3, h2.minor { font-size: .9375rem; margin: 1.5rem 0 .375rem; }
p { margin: 0 0 .75rem; text-wrap: pretty; }
.lead { color: var(--muted); max-width: 44rem; margin-bottom: 2rem; }
.up { font-size: .875rem; margin-bottom: .25rem; }
.group > h2 { margin-top: 2rem; } .group > p, .group > pre, .group > ul { max-width: 46rem; }
.prose { max-width: 46rem; }
.prose > * { margin-block: 0 1rem; }
.prose h2 { font-size: 1.375rem; letter-spacing: -.01em; margin: 2.75rem 0 .75rem; padding-top: 1.25rem; border-top: 1px solid var(--border); }
.prose h3 { font-size: 1.0625rem; margin: 2rem 0 .5rem; } .prose h4 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
.prose > h1 { font-size: 2.125rem; margin-bottom: 1rem; }
.prose :is(ul, ol) { padding-left: 1.375rem; } .prose li { margin-bottom: .375rem; } .prose li > :is(ul, ol) { margin-top: .375rem; }
.prose li > .code { margin-block: .5rem .75rem; }
.prose blockquote { margin-inline: 0; padding-left: 1rem; border-left: 3px solid var(--border); color: var(--muted); }
.anchor { opacity: 0; color: var(--muted); text-decoration: none; font-weight: 400; } :hover > .anchor, .anchor:focus-visible { opacity: 1; }
:is(p, dd, td, th, li, h2, h3, h4) > code, a > code, summary code { font-size: .875em; padding: .1em .2em; background: var(--shade); border-radius: 4px; }
figure { margin-inline: 0; } figcaption { margin-top: .375rem; color: var(--muted); font-size: .875rem; }
.diagram > div { overflow-x: auto; padding: .5rem; border: 1px solid var(--border); border-radius: 8px; } .diagram img { display: block; max-width: none; margin-inline: auto; }
.diagram summary { display: inline-block; padding-block: .375rem; color: var(--muted); font-size: .875rem; cursor: pointer; }
.entry code, th code, .names code, .by code, .codes dt code, .settings dt code, h1 code { padding: 0; background: none; }
.table { overflow-x: auto; margin-block: 1rem 1.5rem; border: 1px solid var(--border); border-radius: 8px; }
.table table { min-width: 32rem; } .table th { width: auto; } .table :is(th, td) { padding: .5rem .875rem; min-width: 7rem; overflow-wrap: break-word; }
.table thead th { border-top: 0; background: var(--shade); font-size: .875rem; } .table thead th:empty { padding: 0; }
.start { max-width: 60rem; } .start h2 { margin: 2rem 0 .75rem; font-size: 1.125rem; }
.start ul { list-style: none; margin: 0; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)); gap: .75rem; }
.start li { position: relative; padding: .75rem 1rem; border: 1px solid var(--border); border-radius: 8px; } .start li:hover { border-color: var(--link); }
.start li a { font-weight: 600; text-decoration: none; } .start li a::after { content: ''; position: absolute; inset: 0; border-radius: 8px; }
.start li a:focus-visible { outline: 0; } .start li a:focus-visible::after { outline: 3px solid var(--link); outline-offset: 2px; }
.start li span { display: block; color: var(--muted); font-size: .875rem; line-height: 1.45; } .for-agents { margin-top: 2.5rem; color: var(--muted); }
.settings { margin: 0; } .settings > div { padding-block: .875rem; border-top: 1px solid var(--border); }
.settings dt { margin-bottom: .25rem; } .settings dd { max-width: 46rem; } .settings p { margin: 0; }
.settings dt a { color: var(--text); font-weight: 600; text-decoration: none; display: inline-block; padding-block: .125rem; } .default { color: var(--muted); font-size: .875rem; }
.settings > :target { box-shadow: -.75rem 0 var(--ground), -1rem 0 var(--link); }
.entry { padding-block: 2rem; border-top: 1px solid var(--border); content-visibility: auto; contain-intrinsic-size: auto 60rem; }
.entry.error { padding-block: 1.25rem; }
.entry.error, .entry.resource { contain-intrinsic-size: auto 12rem; max-width: 44rem; }
.entry.error .summary { font-size: 1rem; margin: 0; }
.entry:target h2 { box-shadow: -.75rem 0 var(--ground), -1rem 0 var(--link); }
.summary { font-size: 1.0625rem; }
.path { display: flex; flex-wrap: wrap; gap: .375rem .5rem; align-items: center; font-size: .875rem; color: var(--muted); }
.label { padding: 0 .5rem; font-size: .8125rem; line-height: 1.375rem; border: 1px solid; border-radius: 99px; white-space: nowrap;
  color: var(--muted); }
.destructive { color: var(--warn); } .retrySafe { color: var(--good); } .billable { color: var(--cost); } .read { color: var(--link); }
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
td i { font-size: .875rem; } .table td b, .table td strong { color: inherit; font-size: inherit; }
td p > code { padding: .05rem .3rem; background: var(--shade); border-radius: 4px; }
.d1 th { padding-left: 1rem; } .d2 th { padding-left: 2rem; } .d3 th { padding-left: 3rem; }
.d4 th { padding-left: 3.5rem; } .d5 th, .d6 th, .d7 th { padding-left: 4rem; }
tr:is(.d1, .d2, .d3, .d4, .d5, .d6, .d7) :is(th, td) { border-top-style: dashed; }
tr:is(.d1, .d2, .d3, .d4, .d5, .d6, .d7) th code { font-weight: 400; }
.names { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1rem; font-size: .9375rem; }
.names a, .codes a { display: inline-block; padding-block: .125rem; }
.status { font: .8125rem/1.375rem ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace; color: var(--muted); }
.codes { margin: 0; font-size: .9375rem; }
.codes > div { padding-block: .5rem; border-top: 1px solid var(--border); }
.fix, .by { color: var(--muted); } .by a { white-space: nowrap; }
.shared { font-size: .9375rem; margin-top: .5rem; }
.shared summary { padding-block: .5rem; color: var(--muted); cursor: pointer; }
.none { color: var(--muted); }
pre { margin: 0; padding: .875rem 1rem; max-height: 34rem; overflow: auto; font-size: .8125rem; line-height: 1.6; white-space: pre-wrap;
  background: var(--shade); border: 1px solid var(--border); border-radius: 8px; tab-size: 2; }
.examples pre { max-height: 26rem; font-size: .78125rem; }
.examples :is(h3, h2) { margin-top: 1.25rem; } .examples > :is(h3, h2):first-child { margin-top: 0; }
.code { position: relative; } .code > .copy { position: absolute; top: .4375rem; right: .4375rem; background: var(--shade); opacity: 0; }
.code:hover > .copy, .code > .copy:focus-visible { opacity: 1; }
.forms { position: relative; margin: 0; padding: 0; border: 0; min-width: 0; display: flex; flex-wrap: wrap; }
.forms input { position: absolute; opacity: 0; width: 3rem; height: 2.5rem; margin: 0; pointer-events: none; }
.forms label { padding: .625rem .75rem; font-size: .875rem; line-height: 1.25rem; color: var(--muted); cursor: pointer;
  border-bottom: 2px solid transparent; }
.forms :checked + label { color: var(--text); font-weight: 650; border-color: var(--link); }
.forms :focus-visible + label { outline: 3px solid var(--link); outline-offset: -2px; border-radius: 6px; }
.forms pre { display: none; width: 100%; }
.forms :nth-of-type(1):checked ~ pre:nth-of-type(1), .forms :nth-of-type(2):checked ~ pre:nth-of-type(2),
.forms :nth-of-type(3):checked ~ pre:nth-of-type(3), .forms :nth-of-type(4):checked ~ pre:nth-of-type(4),
.forms :nth-of-type(5):checked ~ pre:nth-of-type(5), .forms :nth-of-type(6):checked ~ pre:nth-of-type(6) { display: block; }
.copy { margin-left: auto; align-self: center; min-height: 2rem; padding: 0 .625rem; font: inherit; font-size: .8125rem; cursor: pointer;
  color: var(--link); background: none; border: 1px solid var(--border); border-radius: 6px; }
.hljs-comment, .hljs-quote, .hljs-meta { color: var(--comment); }
.hljs-string, .hljs-regexp, .hljs-addition { color: var(--string); }
.hljs-number, .hljs-literal, .hljs-symbol { color: var(--number); }
.hljs-keyword, .hljs-selector-tag, .hljs-doctag { color: var(--word); }
.hljs-attr, .hljs-attribute, .hljs-title, .hljs-name, .hljs-section, .hljs-type, .hljs-built_in, .hljs-variable, .hljs-property { color: var(--key); }
.hljs-subst, .hljs-params, .hljs-punctuation, .hljs-title.function_ { color: inherit; }
.products { list-style: none; margin: 1.5rem 0; padding: 0; } .products li { border-top: 1px solid var(--border); padding-bottom: .5rem; color: var(--muted); }
.products a:first-child { display: flex; align-items: center; min-height: 44px; font-weight: 600; margin-bottom: -.5rem; }
`;

const wide = `
@media (max-width: 30rem) { .brand { font-size: 0; } .brand b { font-size: 1rem; } nav[popover] { width: 100vw; border-width: 1px 0; }
  .prose > h1 { font-size: 1.75rem; } }
@media (pointer: coarse) {
  search kbd { display: none; } search input, .copy { height: 44px; } .code { display: grid; }
  .code > .copy { position: static; opacity: 1; justify-self: end; margin-bottom: .25rem; }
  nav a, .shared summary, .forms label { display: flex; align-items: center; flex-wrap: wrap; min-height: 44px; gap: 0 .25rem; }
  h2 a:not(.anchor) { display: inline-block; padding-block: .625rem; margin-block: -.625rem; }
  .names a, .codes a, aside a, .up a { display: inline-flex; align-items: center; min-height: 44px; }
  .terms dd a { display: inline-block; padding-block: .25rem; }
}
@media (min-width: 48rem) { #results { position: absolute; inset: calc(100% + .375rem) 0 auto; border-radius: 8px; width: max(100%, 34rem);
  max-height: min(36rem, calc(100dvh - 5rem)); } }
@media (min-width: 56rem) {
  .menu { display: none; } .machine { display: flex; }
  body { display: grid; grid-template-columns: 17.5rem minmax(0, 1fr); grid-template-rows: auto 1fr; }
  header { grid-column: 1 / -1; padding-inline: 1.5rem; } .brand { width: 15.25rem; }
  nav[popover] { display: block; position: sticky; inset: auto; top: 3.5rem; width: auto; height: calc(100vh - 3.5rem); border-width: 0 1px 0 0;
    max-height: none; font-size: .875rem; scrollbar-width: thin; align-self: start; padding: 1.5rem .75rem 3rem; }
  nav a { padding: .3125rem .75rem; }
  main { padding: 2rem 2.5rem 3rem; max-width: 92rem; } footer { padding-inline: 2.5rem; }
}
@media (min-width: 72rem) {
  .operation, .event { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 2rem; align-items: start; }
  .examples { position: sticky; top: 4.75rem; }
}
@media (min-width: 80rem) {
  .with-headings { display: grid; grid-template-columns: minmax(0, 46rem) 15rem; gap: 3.5rem; align-items: start; }
  aside { grid-column: 2; grid-row: 1; position: sticky; top: 5.5rem; max-height: calc(100vh - 7rem); overflow-y: auto; scrollbar-width: thin; margin: 0; }
  .with-headings > .content { grid-column: 1; grid-row: 1; }
  aside details { border: 0; border-left: 1px solid var(--border); border-radius: 0; } aside summary { line-height: 2rem; font-weight: 650; color: var(--text); list-style: none; }
  aside summary::-webkit-details-marker { display: none; } aside a { padding: .1875rem 0; }
}
@media (max-width: 71.99rem) { .facts { max-width: 46rem; } .examples { margin-top: 1.5rem; max-width: 46rem; } }
@media (prefers-reduced-motion: no-preference) { .skip { transition: transform .15s; } }
@media (forced-colors: active) { .forms :checked + label { border-color: Highlight; } nav a[aria-current], #results [aria-selected=true] { outline: 1px solid; } }
@media print { header, nav, aside, footer, .forms label, .copy { display: none !important; } .entry { content-visibility: visible; break-inside: avoid; }
  .forms pre { display: block; margin-top: .5rem; } pre { max-height: none; } }
`;

/** The stylesheet of the site, in the default theme. */
export const siteStyles = (): string =>
  [
    `:root { color-scheme: light dark; ${variables(lightPalette(defaultPageTheme), light)} }`,
    `@media (prefers-color-scheme: dark) { :root { ${variables(darkPalette(defaultPageTheme), dark)} } }`,
    frame,
    content,
    wide,
  ].join('\n');
