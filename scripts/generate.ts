import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { dictionary } from '@zxcvbn-ts/language-common';
import { shareTexts, type SettingDeclarations } from '#config/declare.js';
import type { Plugin } from '#core/kernel/plugin.js';
import { findPlugins } from '#core/kernel/registry/find-plugins.js';
import { createRegistry, RegistryError, type Registry } from '#core/kernel/registry/registry.js';
import { coreSettings } from '#core/kernel/settings.js';
import { catalogueText } from '#core/surfaces/cli/describe.js';
import { diagramsFolder } from '#core/surfaces/docs/diagrams.js';
import { descriptionText } from '#core/surfaces/openapi/file.js';
import { sdkSource } from '#core/surfaces/sdk/generate/index.js';
import { goFiles, goSources } from '#core/surfaces/sdk-go/generate/index.js';
import { pythonModules, pythonSources } from '#core/surfaces/sdk-python/generate/index.js';
import { ownVersion, pythonVersion } from '#core/surfaces/version.js';

/*
 * `npm run generate` writes what is derived from the products:
 * - openapi.json, the README's table of settings, the table of system templates in docs/templates.md and the diagrams
 *   of the documents, which are committed. `--check` writes nothing and fails if one of them is stale.
 * - the sources *.gen.ts, *_gen.py and *_gen.go, which git ignores: the list of products, the SDKs' operations, the
 *   command line's catalogue and the common passwords. `--sources` writes only these. Building, type checks, lint and
 *   tests start with it, so it must not import a generated source, and it ends at once if nothing has changed since the
 *   last time.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const check = process.argv.includes('--check');
const onlySources = process.argv.includes('--sources');

/** States what the sources were generated from, and the hash of the result. */
const fingerprintFile = '.generated';

/** The SHA-256 of files, of their paths and of the version of Node. */
function hashOf(paths: readonly string[]): string {
  const hash = createHash('sha256').update(process.version);
  for (const path of paths) {
    const content = existsSync(root + path) ? readFileSync(root + path) : '';
    hash.update(`\n${path} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/** The files that decide what is generated: all sources of the products, and the installed packages. */
const inputs = ['config', 'core', 'plugins']
  .flatMap((folder) =>
    readdirSync(root + folder, { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  )
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.gen.ts'))
  .concat('scripts/generate.ts', 'package.json', 'package-lock.json')
  .sort();

const sources = {
  products: 'plugins/all.gen.ts',
  sdk: 'core/surfaces/sdk/operations.gen.ts',
  commands: 'core/surfaces/cli/command-catalogue.gen.ts',
  passwords: 'plugins/auth/passwords/common.gen.ts',
};

const pythonFolder = 'core/surfaces/sdk-python/svc_sdk/';
const goFolder = 'core/surfaces/sdk-go/svc/';
const generated = [
  ...Object.values(sources),
  ...pythonModules.map((name) => pythonFolder + name),
  ...goFiles.map((name) => goFolder + name),
];

/** @param before the hash of the inputs before they were loaded, so that an edit in the meantime is noticed */
const fingerprint = (before: string): string => `${before}\n${hashOf(generated)}\n`;

const before = hashOf(inputs);
if (onlySources && read(fingerprintFile) === fingerprint(before)) process.exit();

/**
 * The source of plugins/auth/passwords/common.gen.ts: the common passwords of @zxcvbn-ts/language-common, as
 * the first five bytes of each one's SHA-1, sorted. Passwords shorter than eight characters are left out: no
 * environment accepts them (password.minLength).
 */
function commonPasswordsSource(): string {
  const words = dictionary['passwords-common'].filter((word) => word.length >= 8);
  const digests = words.map((word) => createHash('sha1').update(word.toLowerCase()).digest().subarray(0, 5));
  digests.sort((a, b) => Buffer.compare(a, b));
  return [
    '// Written by `npm run generate` from @zxcvbn-ts/language-common (MIT): see scripts/generate.ts.',
    `export const commonPasswords = '${Buffer.concat(digests).toString('base64')}';`,
    '',
  ].join('\n');
}

/** The README's table of settings, as Markdown. */
function settingsTable(groups: readonly SettingDeclarations[]): string {
  const rows = groups
    .flatMap((settings) => Object.values(settings))
    .map(
      ({ variable, share, defaultText, description }) =>
        `| \`${variable}\` | ${defaultText} | ${shareTexts[share]} | ${description} |`,
    );
  return ['| variable | default | nodes | meaning |', '|---|---|---|---|', ...rows, ''].join('\n');
}

/** The table of system templates in docs/templates.md. */
function templatesTable({ systemTemplates }: Registry): string {
  const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
  const rows = systemTemplates.map(
    ({ name, channel, description, variables, requiredVariables }) =>
      `| \`${name}\` | ${channel} | ${description} | ${code(variables)} | ${code(requiredVariables)} |`,
  );
  return ['| template | channel | what it is | variables | required |', '|---|---|---|---|---|', ...rows, ''].join(
    '\n',
  );
}

/** Replaces the part of a document between `<!-- name:begin -->` and `<!-- name:end -->`. */
function writePart(path: string, name: string, text: string): void {
  const marks = new RegExp(`(<!-- ${name}:begin -->\\n)[\\s\\S]*?(<!-- ${name}:end -->)`);
  write(
    path,
    read(path).replace(marks, (_, begin: string, end: string) => `${begin}${text}${end}`),
  );
}

function read(path: string): string {
  return existsSync(root + path) ? readFileSync(root + path, 'utf8') : '';
}

const changed: string[] = [];

/** Writes a file if its text changed. Another process finds the old text or the new one, never a part. */
function write(path: string, text: string): void {
  if (read(path) === text) return;
  changed.push(path);
  if (check) return;
  const draft = `${root}${path}.${process.pid}.new`;
  writeFileSync(draft, text);
  renameSync(draft, root + path);
}

/** Draws the diagrams of the documents, and removes those whose text has changed or is gone. */
async function writeDiagrams(): Promise<void> {
  // A part of the repository may have no documents.
  if (!existsSync(`${root}docs`)) return;
  // Not at the top: a build needs no library that draws.
  const { drawDiagrams } = await import('./diagrams.js');
  const documents = readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `${root}docs/${path}`);
  const drawn = drawDiagrams(documents);
  mkdirSync(root + diagramsFolder, { recursive: true });
  for (const name of readdirSync(root + diagramsFolder)) {
    if (drawn.has(name)) continue;
    changed.push(`${diagramsFolder}/${name}`);
    if (!check) rmSync(`${root}${diagramsFolder}/${name}`);
  }
  for (const [name, svg] of drawn) write(`${diagramsFolder}/${name}`, svg);
}

/** All products. Their errors are printed as on startup, without the stack of this script. */
function registryOf(known: readonly Plugin[]): Registry {
  try {
    return createRegistry(known, []);
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/** The source of plugins/all.gen.ts. The server finds products by scanning; tests take their types from this list. */
function productsSource(names: readonly string[]): string {
  return [
    '// Written by `npm run generate` from the folders of plugins/.',
    ...names.map((name) => `import ${name} from './${name}/index.js';`),
    '',
    `export const plugins = [${names.join(', ')}] as const;`,
    '',
  ].join('\n');
}

const plugins = await findPlugins();
const registry = registryOf(plugins);
if (!check) {
  write(sources.products, productsSource(plugins.map(({ name }) => name)));
  write(sources.sdk, sdkSource(registry));
  for (const [name, text] of Object.entries(pythonSources(registry, pythonVersion()))) write(pythonFolder + name, text);
  for (const [name, text] of Object.entries(goSources(registry, ownVersion()))) write(goFolder + name, text);
  write(sources.commands, catalogueText(registry));
  write(sources.passwords, commonPasswordsSource());
  writeFileSync(root + fingerprintFile, fingerprint(before));
}
if (!onlySources) {
  write('openapi.json', descriptionText(registry));
  const settings = [coreSettings, ...plugins.flatMap((plugin) => (plugin.settings ? [plugin.settings] : []))];
  writePart('README.md', 'settings', settingsTable(settings));
  writePart('docs/templates.md', 'system-templates', templatesTable(registry));
  await writeDiagrams();
}

if (changed.length > 0) process.stdout.write(`${check ? 'Stale' : 'Written'}: ${changed.join(', ')}\n`);
else if (!onlySources) process.stdout.write('All generated files are current.\n');
if (check && changed.length > 0) {
  process.stderr.write('Run `npm run generate` and commit the result.\n');
  process.exitCode = 1;
}
