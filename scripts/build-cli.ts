import { chmod, copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { ownVersion } from '#core/surfaces/version.js';
import { licensesOf } from './build-console.js';
import { readManifest } from './sdk-package.js';

/*
 * Bundles the command line as a separate package, svc-cli, without dependencies and without code of the server:
 * `npm run build` writes it to dist/cli, and a running server offers it at /clients (core/surfaces/clients).
 */

const fromSources = import.meta.url.endsWith('.ts');
const root = fileURLToPath(new URL(fromSources ? '..' : '../..', import.meta.url));

/** Modules whose content is different in the package, by the end of the path that imports name. */
const replaced: readonly { readonly path: RegExp; readonly source: string }[] = [
  { path: /\/version\.js$/, source: `export const ownVersion = () => ${JSON.stringify(ownVersion())};` },
  // The server that offers the package writes this file.
  {
    path: /\/default-base-url\.js$/,
    source: "export { serverAddress as defaultBaseUrl } from './server-address.js';",
  },
  { path: /\/this-machine\.js$/, source: 'export const thisMachine = async () => [];' },
];

const replacements: Plugin = {
  name: 'replacements',
  setup(on) {
    replaced.forEach(({ path, source }, index) => {
      on.onResolve({ filter: path }, ({ importer }) =>
        importer.includes('node_modules') ? undefined : { path: String(index), namespace: 'replaced' },
      );
      on.onLoad({ filter: new RegExp(`^${index}$`), namespace: 'replaced' }, () => ({ contents: source }));
    });
    on.onResolve({ filter: /^\.\/server-address\.js$/ }, ({ path }) => ({ path, external: true }));
  },
};

/** Bundles the command line into `folder`, which is replaced. */
export async function buildCli(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { svc: join(root, 'scripts/svc.ts') },
    outdir: folder,
    bundle: true,
    // What a command does not need is not loaded: this keeps the start short.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['svc-source'],
    minify: true,
    metafile: true,
    legalComments: 'none',
    logLevel: 'warning',
    // Packages in CommonJS that it contains require modules of Node.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    plugins: [replacements],
  });
  const { version, license, engines } = await readManifest();
  const manifest = {
    name: 'svc-cli',
    version,
    description: 'The command line of svc.',
    license,
    type: 'module',
    engines,
    bin: { svc: 'svc.js' },
    files: ['*.js', 'licenses.txt'],
  };
  await copyFile(join(root, 'core/surfaces/cli/README.md'), join(folder, 'README.md'));
  // For `npm pack ./dist/cli`; a server replaces it.
  await writeFile(join(folder, 'server-address.js'), "export const serverAddress = 'http://127.0.0.1:8080';\n");
  await writeFile(join(folder, 'licenses.txt'), await licensesOf(Object.keys(metafile.inputs)));
  await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  await chmod(join(folder, 'svc.js'), 0o755);
  // Last: a running server offers the package once it has this file.
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  await buildCli(join(root, 'dist/cli'));
