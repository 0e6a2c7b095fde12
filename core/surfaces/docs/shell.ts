import { html, markupText, type Markup } from '../pages/html.js';
import type { AssetPaths } from './assets.js';
import { docsRoot } from './documents.js';
import { navigation, type NavigationGroup } from './navigation.js';

/** A page of the site, without what all pages share. */
export interface SitePage {
  readonly path: string;
  /** For the window; empty for the start page. */
  readonly title: string;
  readonly description?: string;
  /** Begins with the h1. */
  readonly content: Markup;
  /** The headings to list beside the page. */
  readonly headings?: readonly { readonly anchor: string; readonly title: string; readonly depth: number }[];
  /** The address of its text as Markdown. */
  readonly source?: string;
  /** The page of the navigation that this one belongs to, if it is not in the navigation itself. */
  readonly parent?: string;
}

/** What all pages of a site share. */
export interface SiteFrame {
  readonly groups: readonly NavigationGroup[];
  readonly assets: AssetPaths;
  /** Addresses beside the search, by title. */
  readonly links: readonly (readonly [path: string, title: string])[];
}

/** The whole HTML document of a page. */
export function siteDocument(page: SitePage, { groups, assets, links }: SiteFrame): string {
  const { title, description, content, headings = [], source } = page;
  const current = page.parent ?? page.path;
  return `<!doctype html>\n${markupText(
    html`<html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title === '' ? '' : `${title} · `}svc documentation</title>
        ${description !== undefined && description !== '' && html`<meta name="description" content=${description} />`}
        <link rel="icon" href="data:," />
        ${source !== undefined && html`<link rel="alternate" type="text/markdown" href=${source} />`}
        <link rel="stylesheet" href=${assets.styles} />
        <script type="module" src=${assets.script} />
      </head>
      <body data-index=${assets.index} data-search=${assets.search}>
        <a class="skip" href="#main">Skip to the content</a>
        ${top(links)} ${navigation(groups, current)}
        <div class="page">
          <main id="main" tabindex="-1" class=${headings.length > 1 ? 'with-headings' : undefined}>
            ${headings.length > 1 && headingList(headings)}
            <div class="content">${content}</div>
          </main>
          ${footer(neighbours(groups, page.path), source)}
        </div>
      </body>
    </html>`,
  )}\n`;
}

/** The search box appears when scripts run. */
const top = (links: SiteFrame['links']): Markup =>
  html`<header>
    <a class="brand" href=${docsRoot}><b>svc</b> docs</a>
    <search hidden>
      <label class="unseen" for="search">Search the documentation</label>
      <input
        id="search"
        type="text"
        role="combobox"
        aria-expanded="false"
        aria-controls="results"
        aria-autocomplete="list"
        placeholder="Search"
        autocomplete="off"
        spellcheck=${false}
        aria-keyshortcuts="/ Control+K"
      />
      <kbd aria-hidden="true">/</kbd>
      <div id="results" hidden>
        <p id="found" role="status"></p>
        <div role="listbox" aria-label="Results"></div>
      </div>
    </search>
    <div class="machine">${links.map(([path, title]) => html`<a href=${path}>${title}</a>`)}</div>
    <button class="menu" type="button" popovertarget="contents">Contents</button>
  </header>`;

/** Open beside the page on wide screens, and a line that can be opened on narrow ones. */
const headingList = (headings: NonNullable<SitePage['headings']>): Markup =>
  html`<aside aria-label="On this page">
    <details>
      <summary>On this page</summary>
      <ul>
        ${headings.map(
          ({ anchor, title, depth }) => html`<li class=${`h${depth}`}><a href=${`#${anchor}`}>${title}</a></li>`,
        )}
      </ul>
    </details>
  </aside>`;

interface Neighbours {
  readonly previous: { readonly path: string; readonly title: string } | undefined;
  readonly next: { readonly path: string; readonly title: string } | undefined;
}

/** The pages before and after one, in the order of the navigation. */
function neighbours(groups: readonly NavigationGroup[], path: string): Neighbours {
  const pages = [
    { path: docsRoot, title: 'Documentation' },
    ...groups.flatMap(({ entries }) =>
      entries.flatMap((entry) => [entry, ...(entry.parts ?? []).filter((part) => !part.path.includes('#'))]),
    ),
  ];
  const index = pages.findIndex((page) => page.path === path);
  return index < 0 ? { previous: undefined, next: undefined } : { previous: pages[index - 1], next: pages[index + 1] };
}

const footer = ({ previous, next }: Neighbours, source: string | undefined): Markup =>
  html`<footer>
    <div class="turn">
      ${previous && html`<a rel="prev" href=${previous.path}><small>Previous</small> ${previous.title}</a>`}
      ${next && html`<a rel="next" href=${next.path}><small>Next</small> ${next.title}</a>`}
    </div>
    ${source !== undefined && html`<p><a href=${source}>This page as Markdown</a></p>`}
  </footer>`;
