import type { Catalogue } from '#core/kernel/catalogue.js';
import { html, markupText, type Markup } from '#core/surfaces/pages/html.js';
import { productAnchor } from './anchors.js';
import { errorSections } from './errors.js';
import { eventSections } from './events.js';
import { introduction } from './introduction.js';
import { navigation, operationsOf } from './navigation.js';
import { operationSection, sharedCodesOf, type Reference } from './operation.js';
import { proseOf } from './prose.js';
import { resourceSections } from './resource-sections.js';
import { resourcesOf } from './resources.js';

/**
 * Renders the reference as one HTML document from the catalogue.
 * @param styles and script are inserted unescaped: they must be constant text
 */
export function referenceDocument(catalogue: Catalogue, baseUrl: string, styles: string, script: string): string {
  const reference: Reference = { catalogue, baseUrl, prose: proseOf(catalogue), sharedCodes: sharedCodesOf(catalogue) };
  const resources = resourcesOf(catalogue);
  return `<!doctype html>\n${markupText(
    html`<html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>API reference · svc</title>
        <link rel="icon" href="data:," />
        <style dangerouslySetInnerHTML=${{ __html: styles }} />
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        ${top} ${navigation(reference, resources.keys())}
        <main id="main" tabindex="-1">
          ${introduction(reference)}
          ${[...catalogue.products].map(([product, summary]) => productSection(product, summary, reference))}
          ${eventSections(reference)} ${errorSections(reference)} ${resourceSections(resources, reference)}
          <p id="nothing" hidden>No results. Try fewer letters, or a word for what you want to do.</p>
        </main>
        <script type="module" dangerouslySetInnerHTML=${{ __html: script }} />
      </body>
    </html>`,
  )}\n`;
}

/** The search box appears when scripts run; otherwise the browser's own search finds everything. */
const top: Markup = html`<header>
  <a class="brand" href="#start"><b>svc</b> reference</a>
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

function productSection(product: string, summary: string, reference: Reference): Markup {
  return html`<section class="group" id=${productAnchor(product)}>
    <h2>${product}</h2>
    <div class="lead"><p>${reference.prose(summary)}</p></div>
    ${operationsOf(reference, product).map((operation) => operationSection(operation, reference))}
  </section>`;
}
