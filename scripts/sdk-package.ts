import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isRecord } from '#core/runtime/json.js';

/*
 * The SDK as a separate npm package, svc-sdk: `npm run build` compiles it to dist/sdk. A running server offers it at
 * /clients (core/surfaces/clients), and `npm pack ./dist/sdk` makes its tarball. It has no dependencies; svc-sdk/react
 * uses the React of the app.
 */

const fromSources = import.meta.url.endsWith('.ts');
const root = fileURLToPath(new URL(fromSources ? '..' : '../..', import.meta.url));

const entry = (file: string): object => ({ types: `./${file}.d.ts`, default: `./${file}.js` });

/** Servers that svc-sdk has an entry point for: core/surfaces/sdk/frameworks. */
const frameworks = ['express', 'fastify', 'hono', 'koa', 'next'];

/** The SDK's package.json. Version, license and Node versions are those of the server. */
function sdkManifest({ version, license, engines }: Readonly<Record<string, unknown>>): object {
  return {
    name: 'svc-sdk',
    version,
    description:
      'The TypeScript client of svc: every operation typed, retries, paging, webhooks, sign-in, React, servers.',
    license,
    type: 'module',
    sideEffects: false,
    engines,
    exports: {
      '.': entry('index'),
      './webhooks': entry('webhooks'),
      './session': entry('session'),
      './react': entry('react/index'),
      ...Object.fromEntries(frameworks.map((name) => [`./${name}`, entry(`frameworks/${name}`)])),
      './package.json': './package.json',
    },
    types: './index.d.ts',
    files: ['**/*.js', '**/*.d.ts'],
    peerDependencies: { react: '>=18' },
    peerDependenciesMeta: { react: { optional: true } },
  };
}

/** The server's package.json. */
export async function readManifest(): Promise<Readonly<Record<string, unknown>>> {
  const own: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  return isRecord(own) ? own : {};
}

/** Writes the other files of the package next to the compiled SDK. @param folder where it was compiled to */
export async function writeSdkPackage(folder: string): Promise<void> {
  const manifest = sdkManifest(await readManifest());
  await copyFile(join(root, 'core/surfaces/sdk/README.md'), join(folder, 'README.md'));
  await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  // Last: a running server offers the package once it has this file.
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

const [, started = ''] = process.argv;
if (import.meta.url === pathToFileURL(started).href) await writeSdkPackage(join(root, 'dist/sdk'));
