import MiniSearch from 'minisearch';
import type { SettingDeclarations } from '#config/declare.js';
import type { Catalogue } from '#core/kernel/deployment-catalogue.js';
import {
  chapterLink,
  errorLink,
  eventLink,
  operationLink,
  resourceLink,
  settingsPath,
  sharedPages,
} from '../reference/anchors.js';
import { chaptersOf } from '../reference/chapters.js';
import { errorCodes } from '../reference/errors.js';
import { resourcesOf } from '../reference/resources.js';
import { cacheHeaders, type CachedPage } from '../cached-page.js';
import type { Document } from './documents.js';
import type { Section } from './markdown.js';
import { synonyms } from './synonyms.js';
import { userWords } from './user-words.js';

/** What the search finds: a section of a document, or an entry of the reference. */
interface Entry {
  readonly id: number;
  readonly path: string;
  /** The heading or the name. */
  readonly title: string;
  /** The document's title, or the kind of the entry. */
  readonly group: string;
  /** Additional words for it. */
  readonly words: string;
  readonly text: string;
  /** How much its fit counts. */
  readonly weight: number;
}

const fields = ['title', 'group', 'words', 'text'];
const storedFields = ['path', 'title', 'group', 'summary', 'weight'];

/** What people who change svc read, and what others look for only by exact words. */
const rarelyWanted: Readonly<Record<string, number>> = {
  decisions: 0.1,
  architecture: 0.4,
  contributing: 0.4,
  development: 0.4,
  plugins: 0.4,
  performance: 0.4,
  reliability: 0.6,
};

/** A document whose text is the same as that of others, or rarely wanted, comes after them. */
const weightOf = (slug: string): number => {
  if (slug.startsWith('decisions/')) return 0.15;
  return rarelyWanted[slug] ?? 1;
};

const withoutMarks = (text: string): string => text.replaceAll('`', '');

interface SearchContent {
  readonly catalogue: Catalogue;
  readonly settings: readonly SettingDeclarations[];
  readonly documents: readonly { readonly document: Document; readonly sections: readonly Section[] }[];
}

function entriesOf({ catalogue, settings, documents }: SearchContent): Entry[] {
  const found: Omit<Entry, 'id'>[] = [
    // The changelog says everything once more, in long lists that would be found for every word.
    ...documents
      .filter(({ document }) => document.slug !== 'changelog')
      .flatMap(({ document, sections }) =>
        sections.map(({ anchor, title, text }, index) => ({
          path: anchor === '' ? document.path : `${document.path}#${anchor}`,
          title: anchor === '' ? document.title : title,
          group: anchor === '' ? '' : document.title,
          words: index === 0 ? document.summary : '',
          text,
          weight: weightOf(document.slug),
        })),
      ),
    ...[
      { path: settingsPath, title: 'Settings', text: 'Every environment variable, with its default.' },
      { path: sharedPages.events, title: 'Events', text: 'Every event, with an example of its delivery.' },
      { path: sharedPages.errors, title: 'Errors', text: 'Every error code, what it means and how to fix it.' },
    ].map((page) => ({ ...page, group: 'API reference', words: '', weight: 1 })),
    ...chaptersOf(catalogue).map(({ title, paragraphs }) => ({
      path: chapterLink(title),
      title,
      group: 'API reference',
      words: '',
      text: withoutMarks(paragraphs.join(' ')),
      weight: 1,
    })),
    ...[...catalogue.operations.values()].map(({ name, summary, description = '', keywords = '' }) => ({
      path: operationLink(name),
      title: name,
      group: 'Operation',
      words: keywords,
      text: withoutMarks(`${summary} ${description}`),
      weight: 0.5,
    })),
    ...[...catalogue.events].map(([name, { summary }]) => ({
      path: eventLink(name),
      title: name,
      group: 'Event',
      words: '',
      text: withoutMarks(summary),
      weight: 0.5,
    })),
    ...errorCodes(catalogue).map((code) => ({
      path: errorLink(code),
      title: code,
      group: 'Error',
      words: '',
      text: withoutMarks(`${catalogue.enabledErrors[code]?.message ?? ''} ${catalogue.enabledErrors[code]?.fix ?? ''}`),
      weight: 0.4,
    })),
    ...[...resourcesOf(catalogue)].map(([name, { description }]) => ({
      path: resourceLink(name),
      title: name,
      group: 'Resource',
      words: '',
      text: typeof description === 'string' ? withoutMarks(description) : '',
      weight: 0.4,
    })),
    ...settings
      .flatMap((group) => Object.values(group))
      .map(({ variable, description }) => ({
        path: `${settingsPath}#${variable}`,
        title: variable,
        group: 'Setting',
        words: '',
        text: withoutMarks(description),
        weight: 0.45,
      })),
  ];
  return found.map((entry, id) => ({ id, ...entry, words: `${entry.words} ${userWords[entry.path] ?? ''}`.trim() }));
}

const summaryLength = 180;

const summaryOf = (text: string): string => {
  const trimmed = text.trim();
  return trimmed.length <= summaryLength ? trimmed : `${trimmed.slice(0, summaryLength).replace(/\s+\S*$/, '')} …`;
};

/**
 * The index that browsers search, as minisearch stores it, with the synonyms. It is built in parts, so that no request
 * waits for it longer than a few milliseconds.
 */
export async function searchIndex(content: SearchContent): Promise<CachedPage> {
  const index = new MiniSearch({ fields, storeFields: storedFields });
  const entries = entriesOf(content).map((entry) => ({ ...entry, summary: summaryOf(entry.text) }));
  await index.addAllAsync(entries, { chunkSize: 20 });
  const body = Buffer.from(JSON.stringify({ fields, storeFields: storedFields, synonyms, index }));
  return { body, headers: { ...cacheHeaders(body), 'Content-Type': 'application/json; charset=utf-8' } };
}
