import type { Document } from './documents.js';
import type { NavigationGroup } from './navigation.js';

/** The address of a page's text as Markdown. */
export const sourcePath = (path: string): string => `${path}.md`;

/**
 * /llms.txt: where language models find what (https://llmstxt.org).
 * @param documents by the address of their pages
 */
export function agentIndex(
  groups: readonly NavigationGroup[],
  documents: ReadonlyMap<string, Document>,
  baseUrl: string,
): string {
  const lines = groups.flatMap(({ title, entries }) => {
    const links = entries.map(({ path, title: name, summary }) => {
      const address = documents.has(path) ? sourcePath(path) : path;
      return `- [${name}](${baseUrl}${address}): ${summary}`;
    });
    return ['', `## ${title}`, '', ...links];
  });
  return [
    '# svc',
    '',
    '> svc is a self-hosted platform for messaging, sign-in, audiences with consent, billing and developer credentials. ' +
      'Every operation is one POST with a bearer key.',
    '',
    `All documents in one text: ${baseUrl}/docs.md. All operations, events and errors for programs: ${baseUrl}/openapi.json.`,
    `Agents call the operations as tools of the MCP server at ${baseUrl}/mcp. Installable clients: ${baseUrl}/clients.`,
    ...lines,
    '',
  ].join('\n');
}

/** /docs.md: all documents but the records of decisions, one after the other. */
export const allDocuments = (groups: readonly NavigationGroup[], documents: ReadonlyMap<string, Document>): string =>
  groups
    .flatMap(({ entries }) => entries.flatMap(({ path }) => documents.get(path) ?? []))
    .map(({ path, text }) => `<!-- ${path} -->\n\n${text.trim()}\n`)
    .join('\n');
