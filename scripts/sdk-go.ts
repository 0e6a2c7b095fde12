import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/*
 * The files of the Go SDK's module: `npm run build` writes them to dist/sdk-go, without Go. A running server packs them
 * and offers the module at /clients/go (core/surfaces/clients).
 */

const fromSources = import.meta.url.endsWith('.ts');
const root = fileURLToPath(new URL(fromSources ? '..' : '../..', import.meta.url));
const source = join(root, 'core/surfaces/sdk-go');

/** Writes the files of the module into `folder`, which is replaced. */
export async function writeGoModule(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(join(source, 'svc')))
    if (name.endsWith('.go')) await copyFile(join(source, 'svc', name), join(folder, name));
  await copyFile(join(source, 'README.md'), join(folder, 'README.md'));
  await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  // Last: a running server offers the module once it has this file.
  await copyFile(join(source, 'svc/go.mod'), join(folder, 'go.mod'));
}

const [, started = ''] = process.argv;
if (import.meta.url === pathToFileURL(started).href) await writeGoModule(join(root, 'dist/sdk-go'));
