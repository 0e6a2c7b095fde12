import { posix } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { SettingDeclarations } from '#config/declare.js';
import type { Catalogue } from '#core/kernel/deployment-catalogue.js';
import { html, type Markup } from '../pages/html.js';
import { productTitle } from '../names.js';
import { policyText, privateHeaders } from '../pages/page.js';
import { cacheHeaders, type CachedPage } from '../cached-page.js';
import {
  errorLink,
  productLink,
  referencePaths,
  referenceRoot,
  settingsPath,
  sharedPages,
} from '../reference/anchors.js';
import { errorCodes, errorPage, errorSections, type Mention } from '../reference/errors.js';
import { eventSections } from '../reference/events.js';
import { introduction } from '../reference/introduction.js';
import { operationSection, operationsOf, sharedCodesOf, type Reference } from '../reference/operation.js';
import { nameLink, proseOf } from '../reference/prose.js';
import { resourceSections, resourcesOf } from '../reference/resources.js';
import { agentIndex, allDocuments, sourcePath } from './agents.js';
import { assets } from './assets.js';
import { readDiagrams } from './diagrams.js';
import { docsRoot, documentsRoot, readDocuments, type Document } from './documents.js';
import { renderMarkdown, type LinkTarget, type RenderedDocument } from './markdown.js';
import { navigationOf, type NavigationGroup } from './navigation.js';
import { searchIndex } from './search-index.js';
import { settingsPage } from './settings.js';
import { siteDocument, type SiteFrame, type SitePage } from './shell.js';

/** What the site of a deployment is made of. */
export interface SiteContent {
  readonly catalogue: Catalogue;
  readonly baseUrl: string;
  /** Whether the deployment has a console, to which the pages lead. */
  readonly hasConsole: boolean;
  /** The settings of svc itself and of each enabled product. */
  readonly settings: readonly SettingDeclarations[];
}

/** The documentation of a deployment: its documents and the reference of its operations. */
export interface Site {
  /** The answer at an address: a page, a text or a file; undefined if there is none. */
  answer(path: string): Promise<CachedPage | undefined>;
  /** The page for addresses that the site does not have. Its status is 404. */
  readonly missing: CachedPage;
}

const policy = policyText({
  'default-src': "'none'",
  'style-src': "'self'",
  'script-src': "'self'",
  'img-src': "'self' data:",
  // The index of the search.
  'connect-src': "'self'",
  'form-action': "'none'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
});

const textPage = (text: string, type: string): CachedPage => {
  const body = Buffer.from(text);
  return { body, headers: { ...cacheHeaders(body), 'Content-Type': `${type}; charset=utf-8` } };
};

/** Reads the documents and prepares the site. Pages are rendered when they are asked for first, and then kept. */
export async function createSite({ catalogue, baseUrl, hasConsole, settings }: SiteContent): Promise<Site> {
  const [documents, files, diagrams] = await Promise.all([
    readDocuments(baseUrl),
    assets(),
    readDiagrams(documentsRoot, `${docsRoot}/diagrams`),
  ]);
  const byPath = new Map([...documents.values()].map((document) => [document.path, document]));
  const groups = navigationOf(catalogue, documents);
  const frame: SiteFrame = {
    groups,
    assets: files.paths,
    links: [
      [referenceRoot, 'API reference'],
      ['/clients', 'Clients'],
      ...(hasConsole ? [['/console', 'Console'] as const] : []),
    ],
  };
  const prose = proseOf(catalogue);
  const reference: Reference = { catalogue, baseUrl, prose, sharedCodes: sharedCodesOf(catalogue) };
  const variables = new Set(settings.flatMap((group) => Object.values(group)).map(({ variable }) => variable));
  const linkOfName = (name: string): string | undefined =>
    variables.has(name) ? `${settingsPath}#${name}` : nameLink(catalogue, name);

  const rendered = new Map<Document, RenderedDocument>();
  const render = (document: Document): RenderedDocument => {
    const known =
      rendered.get(document) ??
      renderMarkdown(document.text, {
        linkOf: (target) => linkIn(document, target, documents),
        nameLink: linkOfName,
        diagramOf: diagrams.find,
      });
    rendered.set(document, known);
    return known;
  };

  const makers = new Map<string, () => SitePage | Promise<SitePage>>([
    [docsRoot, () => ({ path: docsRoot, title: '', content: startContent(groups) })],
    ...[...byPath].map(([path, document]) => [path, () => documentPage(document, render(document))] as const),
    ...referencePaths(catalogue).map((path) => [path, () => referencePage(path, reference)] as const),
    [settingsPath, () => ({ path: settingsPath, title: 'Settings', content: settingsPage(settings, prose) })],
    ...errorCodes(catalogue).map((code) => {
      const path = errorLink(code);
      const make = async (): Promise<SitePage> => ({
        path,
        title: code,
        parent: sharedPages.errors,
        content: errorPage(code, await mentionsOf(code, byPath, render), reference),
      });
      return [path, make] as const;
    }),
  ]);

  const texts = new Map<string, () => CachedPage | Promise<CachedPage>>([
    ...[...byPath].map(
      ([path, document]) =>
        [sourcePath(path), () => textPage(sourceOf(document, documents, baseUrl), 'text/markdown')] as const,
    ),
    [sourcePath(docsRoot), () => textPage(allDocuments(groups, byPath), 'text/markdown')],
    ['/llms.txt', () => textPage(agentIndex(groups, byPath, baseUrl), 'text/plain')],
    [
      files.paths.index,
      async () => {
        const parts = [];
        for (const document of documents.values()) {
          parts.push({ document, sections: render(document).sections });
          await nextTurn();
        }
        return searchIndex({ catalogue, settings, documents: parts });
      },
    ],
  ]);

  const known = new Map<string, Promise<CachedPage>>();
  const make = (path: string): (() => CachedPage | Promise<CachedPage>) | undefined => {
    const page = makers.get(path);
    return page ? async () => pageOf(await page(), frame) : texts.get(path);
  };
  return {
    missing: pageOf(missingPage, frame),
    async answer(path) {
      const file = files.files.get(path) ?? diagrams.files.get(path);
      if (file) return file;
      const maker = make(path);
      if (!maker) return undefined;
      const page = known.get(path) ?? Promise.resolve().then(maker);
      known.set(path, page);
      return page.catch((error: unknown) => {
        known.delete(path);
        throw error;
      });
    },
  };
}

function pageOf(page: SitePage, frame: SiteFrame): CachedPage {
  const body = Buffer.from(siteDocument(page, frame));
  return {
    body,
    headers: {
      ...privateHeaders,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Language': 'en',
      ...cacheHeaders(body),
      'Content-Security-Policy': policy,
    },
  };
}

/** Where a link in a document leads; undefined if the site has no page for its target. */
function linkIn(document: Document, target: string, documents: ReadonlyMap<string, Document>): LinkTarget | undefined {
  const [file = '', anchor] = target.split('#');
  if (file === '' || file.startsWith('/')) return { address: target };
  const path = posix.join(posix.dirname(document.file), file);
  if (path === 'openapi.json') return { address: '/openapi.json' };
  const found = documents.get(path) ?? documents.get(posix.join(path, 'README.md'));
  if (!found) return undefined;
  // Its table is a page of the site.
  if (found.file === 'README.md' && anchor === 'settings') return { address: settingsPath };
  const { path: page, title } = found;
  return { title, address: anchor === undefined ? page : `${page}#${anchor}` };
}

/** The Markdown of a document, in which links to other documents are those of their texts. */
const sourceOf = (document: Document, documents: ReadonlyMap<string, Document>, baseUrl: string): string =>
  document.text.replaceAll(/\]\(([^)\s#:]+\.md)(#[^)\s]*)?\)/g, (whole, file: string, anchor = '') => {
    const target = linkIn(document, file, documents);
    return target === undefined ? whole : `](${baseUrl}${sourcePath(target.address)}${anchor})`;
  });

function documentPage(document: Document, { html: markup, sections }: RenderedDocument): SitePage {
  const headings = sections.filter(({ anchor }) => anchor !== '');
  return {
    path: document.path,
    title: document.title,
    description: document.summary,
    source: sourcePath(document.path),
    headings,
    content: html`<div class="prose" dangerouslySetInnerHTML=${{ __html: markup }} />`,
  };
}

async function referencePage(path: string, reference: Reference): Promise<SitePage> {
  const { catalogue, prose } = reference;
  const page = (title: string, content: Markup): SitePage => ({ path, title, content });
  if (path === sharedPages.events) return page('Events', eventSections(reference));
  if (path === sharedPages.errors) return page('Errors', errorSections(reference));
  if (path === sharedPages.resources) return page('Resources', resourceSections(resourcesOf(catalogue), reference));
  if (path === referenceRoot) return page('API reference', introduction(reference));
  const [product = '', summary = ''] = [...catalogue.products].find(([name]) => productLink(name) === path) ?? [];
  const sections: string[] = [];
  for (const operation of operationsOf(catalogue, product)) {
    sections.push(operationSection(operation, reference));
    await nextTurn();
  }
  return page(
    productTitle(product),
    html`<section class="group">
      <h1>${productTitle(product)}</h1>
      <div class="lead"><p>${prose(summary)}</p></div>
      <div dangerouslySetInnerHTML=${{ __html: sections.join('') }} />
    </section>`,
  );
}

/** Lets other requests take their turn: rendering everything at once would take up to half a second. */
const nextTurn = (): Promise<void> => setImmediate();

/** Sections of documents that name a code, except the changelog and the records of decisions. */
async function mentionsOf(
  code: string,
  documents: ReadonlyMap<string, Document>,
  render: (document: Document) => RenderedDocument,
): Promise<Mention[]> {
  if (!code.includes('_')) return [];
  const word = new RegExp(`\\b${code}\\b`);
  const mentions: Mention[] = [];
  for (const [path, document] of documents) {
    if (/^(decisions|changelog)/.test(document.slug) || !word.test(document.text)) continue;
    for (const { anchor, title, text } of render(document).sections)
      if (word.test(text))
        mentions.push({
          path: anchor === '' ? path : `${path}#${anchor}`,
          title: title === '' ? document.title : `${document.title}: ${title}`,
        });
    await nextTurn();
  }
  return mentions;
}

const startContent = (groups: readonly NavigationGroup[]): Markup =>
  html`<div class="start">
    <h1>Documentation</h1>
    <p class="lead">
      svc is a self-hosted platform for messaging, sign-in, audiences with consent, billing and developer credentials.
    </p>
    ${groups.map(
      ({ title, entries }) =>
        html`<section>
          <h2>${title}</h2>
          <ul>
            ${entries.map(
              (entry) =>
                html`<li>
                  <a href=${entry.path}>${entry.title}</a>
                  <span>${entry.summary}</span>
                </li>`,
            )}
          </ul>
        </section>`,
    )}
    <p class="for-agents">
      For agents: <a href="/llms.txt">llms.txt</a>, <a href=${sourcePath(docsRoot)}>all documents as one text</a>,
      ${' '}<a href="/openapi.json">openapi.json</a>. Installable clients: <a href="/clients">/clients</a>.
    </p>
  </div>`;

const missingPage: SitePage = {
  path: '',
  title: 'Page not found',
  content: html`<section class="group">
    <h1>Page not found</h1>
    <p>
      The documentation has no page at this address. Search for it above, or begin at the${' '}
      <a href=${docsRoot}>start page</a>.
    </p>
  </section>`,
};
