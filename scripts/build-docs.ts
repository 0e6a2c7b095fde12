import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { diagramsFolder } from '#core/surfaces/docs/diagrams.js';
import { documentFiles } from '#core/surfaces/docs/documents.js';

/*
 * Copies the documents of /docs, and their diagrams, for servers that run without the repository, such as those in
 * containers: `npm run build` writes them to dist/docs.
 */

const root = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '..' : '../..', import.meta.url));

/** Copies the documents into `folder`, which is replaced, at the paths that they have in the repository. */
export async function copyDocuments(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (const { file } of await documentFiles(pathToFileURL(`${root}/`))) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await copyFile(join(root, file), join(folder, file));
  }
  // A part of the repository may have no documents.
  if (existsSync(join(root, diagramsFolder)))
    await cp(join(root, diagramsFolder), join(folder, diagramsFolder), { recursive: true });
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  await copyDocuments(join(root, 'dist/docs'));
