import { existsSync } from 'node:fs';
import { chmod, mkdtemp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

/*
 * Bundles the console's app for browsers: `npm run build` writes it to dist/console. A screen of a product is a file of
 * its own, loaded when somebody opens it. The names contain a hash, so browsers may keep the files forever.
 */

const fromSources = import.meta.url.endsWith('.ts');
const root = fileURLToPath(new URL(fromSources ? '..' : '../..', import.meta.url));
const font = join(root, 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');

/** The products that add something to the console: `plugins/<name>/console/index.ts`. */
async function productsWithScreens(): Promise<string[]> {
  const names = await readdir(join(root, 'plugins'));
  return names.filter((name) => existsSync(screensOf(name))).sort();
}

const screensOf = (product: string): string => join(root, 'plugins', product, 'console', 'index.ts');

/** Resolves `svc-console-products`: what the products add to the console, by product. */
const productScreens = (products: readonly string[]): Plugin => ({
  name: 'product-screens',
  setup(on) {
    on.onResolve({ filter: /^svc-console-products$/ }, () => ({ path: 'products', namespace: 'svc' }));
    on.onLoad({ filter: /.*/, namespace: 'svc' }, () => ({
      resolveDir: root,
      contents: [
        ...products.map((name) => `import * as ${name} from ${JSON.stringify(screensOf(name))};`),
        `export const products = { ${products.join(', ')} };`,
      ].join('\n'),
    }));
  },
});

/** The licenses of the packages that `inputs` come from: they must accompany every copy. */
export async function licensesOf(inputs: readonly string[]): Promise<string> {
  const folders = inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []);
  const texts = [...new Set(folders)].sort().map(async (folder) => {
    const file = (await readdir(join(root, folder))).find((name) => /^licen[cs]e(?:\.|$)/i.test(name));
    if (file === undefined)
      throw new Error(`${folder} has no license file, so a bundle with it cannot be distributed.`);
    return `${folder.replace(/^.*node_modules\//, '')}\n\n${await readFile(join(root, folder, file), 'utf8')}`;
  });
  return (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n`);
}

/**
 * Bundles the app into `folder`, with a manifest of its files (core/surfaces/console/assets.ts reads it). A server that
 * runs from the folder keeps its files until the new ones are complete.
 */
export async function buildConsole(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const unfinished = await mkdtemp(`${folder}-`);
  try {
    await bundle(unfinished);
    await rm(folder, { recursive: true, force: true });
    // Temporary folders are closed to other users, such as the one that runs the server.
    await chmod(unfinished, 0o755);
    await rename(unfinished, folder);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function bundle(folder: string): Promise<void> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { console: join(root, 'core/surfaces/console/app/main.tsx') },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome120', 'firefox128', 'safari17.5'],
    conditions: ['svc-source'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    metafile: true,
    legalComments: 'none',
    logLevel: 'warning',
    define: { 'process.env.NODE_ENV': '"production"' },
    loader: { '.woff2': 'file' },
    alias: { 'svc-console-font': font },
    publicPath: '/console/assets',
    banner: { js: '/*! Licenses: /console/assets/licenses.txt */' },
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    plugins: [productScreens(await productsWithScreens())],
  });
  await writeFile(join(folder, 'licenses.txt'), await licensesOf(Object.keys(metafile.inputs)));
  const files = [...Object.keys(metafile.outputs).map((path) => basename(path)), 'licenses.txt'];
  const named = (pattern: RegExp): string => files.find((file) => pattern.test(file)) ?? '';
  const manifest = {
    script: named(/^console-.*\.js$/),
    style: named(/^console-.*\.css$/),
    font: named(/\.woff2$/),
    files,
  };
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  await buildConsole(join(root, 'dist/console'));
