import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { chapters, decisionsFolder, type DocumentEntry } from './contents.js';

/** A document with its text. */
export interface Document extends DocumentEntry {
  /** Address of its page. */
  readonly path: string;
  /** Markdown, with the deployment's addresses. */
  readonly text: string;
}

/** The address of every page of the site begins with it. */
export const docsRoot = '/docs';

const pathOf = (slug: string): string => `${docsRoot}/${slug}`;

/** The repository, or the copies of its documents that `npm run build` makes (scripts/build-docs.ts). */
export const documentsRoot = new URL(import.meta.url.endsWith('.ts') ? '../../../' : '../../../docs/', import.meta.url);

/**
 * The documents that are there. A server without them, such as a part of the repository, still has the reference.
 * @param root the repository or its copy
 */
export async function documentFiles(root: URL): Promise<DocumentEntry[]> {
  const records = (await readdir(new URL(`${decisionsFolder}/`, root)).catch(() => []))
    .filter((name) => /^\d{4}-.+\.md$/.test(name))
    .sort()
    .map((name) => ({
      file: `${decisionsFolder}/${name}`,
      slug: `decisions/${name.slice(0, -'.md'.length)}`,
      title: '',
      summary: '',
    }));
  const listed = chapters.flatMap(({ documents }) => documents);
  return [...listed.filter(({ file }) => existsSync(new URL(file, root))), ...records];
}

/** The text with the addresses of this deployment in place of those of the examples. */
function withAddresses(text: string, baseUrl: string): string {
  const local = text
    .replaceAll('http://127.0.0.1:8080', baseUrl)
    .replaceAll('https://svc.example.com/clients', `${baseUrl}/clients`);
  // What is said of production is not true of an address without https.
  if (!baseUrl.startsWith('https:')) return local;
  return local
    .replaceAll('https://svc.example.com', baseUrl)
    .replaceAll(/(?<![\w.-])svc\.example\.com(?![\w-])/g, new URL(baseUrl).host);
}

/** The table that `npm run generate` writes into the README is a separate page here. */
const withoutSettings = (text: string): string =>
  text.replace(
    /(?:<!-- prettier-ignore-start -->\n)?<!-- settings:begin -->[^]*?<!-- settings:end -->\n(?:<!-- prettier-ignore-end -->\n)?/,
    `[All settings](${docsRoot}/settings), with their defaults.\n`,
  );

const titleIn = (text: string): string => (/^# (.+)$/m.exec(text)?.[1] ?? '').replaceAll('`', '');

/** Reads all documents, by their paths in the repository. */
export async function readDocuments(baseUrl: string): Promise<ReadonlyMap<string, Document>> {
  const entries = await documentFiles(documentsRoot);
  const documents = await Promise.all(
    entries.map(async (entry): Promise<Document> => {
      const text = withAddresses(withoutSettings(await readFile(new URL(entry.file, documentsRoot), 'utf8')), baseUrl);
      return { ...entry, title: entry.title === '' ? titleIn(text) : entry.title, path: pathOf(entry.slug), text };
    }),
  );
  return new Map(documents.map((document) => [document.file, document]));
}
