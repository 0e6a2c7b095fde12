import type { Catalogue } from '#core/kernel/deployment-catalogue.js';
import { html, markupText, type Markup } from '../pages/html.js';
import { productTitle } from '../names.js';
import { productLink, referenceRoot, sharedPages } from './anchors.js';
import { errorSections } from './errors.js';
import { eventSections } from './events.js';
import { introduction } from './introduction.js';
import { navigation, operationsOf } from './navigation.js';
import { operationSection, sharedCodesOf, type Reference } from './operation.js';
import { proseOf } from './prose.js';
import { resourceSections, resourcesOf } from './resources.js';

export interface DocumentOptions {
  baseUrl: string;
  /** One of referencePaths(). */
  path: string;
  /** Inserted unescaped: must be constant text. */
  styles: string;
  /** Inserted unescaped: must be constant text. */
  script: string;
}

/** Renders one page of the reference as an HTML document from the catalogue. */
export function referenceDocument(catalogue: Catalogue, { baseUrl, path, styles, script }: DocumentOptions): string {
  const reference: Reference = { catalogue, baseUrl, prose: proseOf(catalogue), sharedCodes: sharedCodesOf(catalogue) };
  const resources = resourcesOf(catalogue);
  const { title, content } = pageAt(path, reference, resources);
  return `<!doctype html>\n${markupText(
    html`<html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title === '' ? '' : `${title} · `}API reference · svc</title>
        <link rel="icon" href="data:," />
        <style dangerouslySetInnerHTML=${{ __html: styles }} />
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        ${top} ${navigation(reference, path, resources)}
        <main id="main" tabindex="-1">
          ${content}
          <section id="results" aria-label="Results" hidden></section>
        </main>
        <script type="module" dangerouslySetInnerHTML=${{ __html: script }} />
      </body>
    </html>`,
  )}\n`;
}

type Resources = ReturnType<typeof resourcesOf>;

function pageAt(path: string, reference: Reference, resources: Resources): { title: string; content: Markup } {
  if (path === sharedPages.events) return { title: 'Events', content: eventSections(reference) };
  if (path === sharedPages.errors) return { title: 'Errors', content: errorSections(reference) };
  if (path === sharedPages.resources) return { title: 'Resources', content: resourceSections(resources, reference) };
  const [product, summary] = [...reference.catalogue.products].find(([name]) => productLink(name) === path) ?? [];
  if (product === undefined) return { title: '', content: introduction(reference) };
  return { title: productTitle(product), content: productSection(product, summary ?? '', reference) };
}

/** The search box appears when scripts run; otherwise the browser's own search finds what is on the page. */
const top: Markup = html`<header>
  <a class="brand" href=${referenceRoot}><b>svc</b> reference</a>
  <search hidden>
    <label class="unseen" for="search">Search operations, events and errors</label>
    <input
      id="search"
      type="search"
      placeholder="Search"
      autocomplete="off"
      spellcheck=${false}
      aria-keyshortcuts="/"
    />
    <kbd aria-hidden="true">/</kbd>
    <span id="found" class="unseen" role="status"></span>
  </search>
  <a class="machine" href="/openapi.json">openapi.json</a>
  <button class="menu" type="button" popovertarget="contents">Contents</button>
</header>`;

const productSection = (product: string, summary: string, reference: Reference): Markup =>
  html`<section class="group">
    <h1>${productTitle(product)}</h1>
    <div class="lead"><p>${reference.prose(summary)}</p></div>
    ${operationsOf(reference.catalogue, product).map((operation) => operationSection(operation, reference))}
  </section>`;
