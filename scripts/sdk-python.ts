import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { pythonVersion } from '#core/surfaces/version.js';
import { readManifest } from './sdk-package.js';

/*
 * The files of the Python SDK's wheel: `npm run build` writes them to dist/sdk-python, without Python. A running server
 * packs them and offers the wheel at /clients (core/surfaces/clients).
 */

const fromSources = import.meta.url.endsWith('.ts');
const root = fileURLToPath(new URL(fromSources ? '..' : '../..', import.meta.url));
const source = join(root, 'core/surfaces/sdk-python');

/** The metadata of the wheel (https://packaging.python.org/en/latest/specifications/core-metadata/). */
const metadata = (version: string, license: unknown, description: string): string =>
  [
    'Metadata-Version: 2.1',
    'Name: svc-sdk',
    `Version: ${version}`,
    'Summary: The Python client of svc: every operation typed, retries, paging, webhooks and access tokens.',
    `License: ${String(license)}`,
    'Classifier: Typing :: Typed',
    'Requires-Python: >=3.9',
    'Requires-Dist: httpx>=0.23',
    'Provides-Extra: tokens',
    'Requires-Dist: pyjwt[crypto]>=2.6; extra == "tokens"',
    'Description-Content-Type: text/markdown',
    '',
    description,
  ].join('\n');

const wheelFacts = ['Wheel-Version: 1.0', 'Generator: svc', 'Root-Is-Purelib: true', 'Tag: py3-none-any', ''].join(
  '\n',
);

/** Writes the files of the wheel into `folder`, which is replaced. */
export async function writePythonPackage(folder: string): Promise<void> {
  const version = pythonVersion();
  const modules = join(folder, 'svc_sdk');
  const facts = join(folder, `svc_sdk-${version}.dist-info`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(modules, { recursive: true });
  await mkdir(facts);
  for (const name of await readdir(join(source, 'svc_sdk')))
    if (name.endsWith('.py') || name === 'py.typed') await copyFile(join(source, 'svc_sdk', name), join(modules, name));
  const { license } = await readManifest();
  const description = await readFile(join(source, 'README.md'), 'utf8');
  await writeFile(join(facts, 'METADATA'), metadata(version, license, description));
  await copyFile(join(root, 'LICENSE'), join(facts, 'LICENSE'));
  // Last: a running server offers the package once it has this file.
  await writeFile(join(facts, 'WHEEL'), wheelFacts);
}

const [, started = ''] = process.argv;
if (import.meta.url === pathToFileURL(started).href) await writePythonPackage(join(root, 'dist/sdk-python'));
