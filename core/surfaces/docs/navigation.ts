import type { Catalogue } from '#core/kernel/deployment-catalogue.js';
import { productTitle } from '../names.js';
import { html, type Markup } from '../pages/html.js';
import { operationLink, productLink, referenceRoot, settingsPath, sharedPages } from '../reference/anchors.js';
import { operationsOf } from '../reference/operation.js';
import { chapters } from './contents.js';
import type { Document } from './documents.js';

/** A page in the navigation. */
interface NavigationEntry {
  readonly path: string;
  readonly title: string;
  readonly summary: string;
  /** Shown below the entry while its page is open. */
  readonly parts?: readonly { readonly path: string; readonly title: string }[];
}

export interface NavigationGroup {
  readonly title: string;
  readonly entries: readonly NavigationEntry[];
}

/** The chapter that the reference precedes. */
const chapterAfterReference = 'Operating';

/** All pages of the site by group, in the order of reading; pages of single errors are only linked from their list. */
export function navigationOf(catalogue: Catalogue, documents: ReadonlyMap<string, Document>): NavigationGroup[] {
  const records = [...documents.values()].filter(({ slug }) => slug.startsWith('decisions/'));
  return chapters.flatMap((chapter) => [
    ...(chapter.title === chapterAfterReference ? [referenceGroup(catalogue)] : []),
    {
      title: chapter.title,
      entries: chapter.documents.flatMap(({ file, slug }) => {
        const document = documents.get(file);
        if (!document) return [];
        const { path, title, summary } = document;
        return [{ path, title, summary, ...(slug === 'decisions' ? { parts: records } : {}) }];
      }),
    },
  ]);
}

const referenceGroup = (catalogue: Catalogue): NavigationGroup => ({
  title: 'API reference',
  entries: [
    { path: referenceRoot, title: 'Introduction', summary: 'Keys, responses, retries, paging, limits.' },
    ...[...catalogue.products].map(([product, summary]) => ({
      path: productLink(product),
      title: productTitle(product),
      summary,
      parts: operationsOf(catalogue, product).map(({ name }) => ({ path: operationLink(name), title: name })),
    })),
    ...(catalogue.events.size > 0
      ? [{ path: sharedPages.events, title: 'Events', summary: 'Every event, with an example of its delivery.' }]
      : []),
    { path: sharedPages.errors, title: 'Errors', summary: 'Every error code, what it means and how to fix it.' },
    { path: sharedPages.resources, title: 'Resources', summary: 'The objects in results and events.' },
    { path: settingsPath, title: 'Settings', summary: 'Every environment variable, with its default.' },
  ],
});

/** Allows line breaks at the dots of long names. */
const breakable = (name: string): Markup =>
  name.split('.').map((part, index) => (index === 0 ? part : ['.', html`<wbr />`, part]));

const groupId = (title: string): string => `group-${title.toLowerCase().replaceAll(' ', '-')}`;

/**
 * The navigation of every page. On small screens it is a popover, which needs no script.
 * @param current the path of the page, or of the page above it
 */
export const navigation = (groups: readonly NavigationGroup[], current: string): Markup =>
  html`<nav id="contents" popover="auto" aria-label="Contents">
    ${groups.map(
      ({ title, entries }) =>
        html`<p id=${groupId(title)}>${title}</p>
          <ul aria-labelledby=${groupId(title)}>
            ${entries.map((entry) => entryItem(entry, current))}
          </ul>`,
    )}
  </nav>`;

function entryItem({ path, title, parts = [] }: NavigationEntry, current: string): Markup {
  const isOpen = path === current || parts.some((part) => part.path === current);
  return html`<li>
    <a href=${path} aria-current=${path === current ? 'page' : undefined}>${title}</a>
    ${
      isOpen &&
      parts.length > 0 &&
      html`<ul>
        ${parts.map(
          (part) =>
            html`<li>
              <a href=${part.path} aria-current=${part.path === current ? 'page' : undefined}
                >${breakable(part.title)}</a
              >
            </li>`,
        )}
      </ul>`
    }
  </li>`;
}
