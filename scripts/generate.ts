import { readdirSync, readFileSync, writeFileSync, existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { coreSettings } from '#core/kernel/settings.js';
import { findPlugins } from '#core/kernel/registry/find-plugins.js';
import type { Plugin } from '#core/kernel/plugin.js';
import { createRegistry, RegistryError, type Registry } from '#core/kernel/registry/registry.js';
import { catalogueText } from '#core/surfaces/cli/describe.js';
import { descriptionText } from '#core/surfaces/openapi/file.js';
import { sdkSource } from '#core/surfaces/sdk/generate/index.js';
import type { SettingDeclarations } from '#config/declare.js';
import { createHash } from 'node:crypto';
import { dictionary } from '@zxcvbn-ts/language-common';

/*
 * Writes the generated files: plugins/all.gen.ts from the folders of plugins/; the SDK, the command line's catalogue
 * and the OpenAPI file from the registry; the README's table of settings from their declarations; the list of common
 * passwords. With `--check` it writes nothing and fails if a file is stale.
 */

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
    .map(({ variable, defaultText, description }) => `| \`${variable}\` | ${defaultText} | ${description} |`);
  return ['| variable | default | meaning |', '|---|---|---|', ...rows, ''].join('\n');
}

const root = fileURLToPath(new URL('..', import.meta.url));
const check = process.argv.includes('--check');
const stale: string[] = [];

function write(path: string, text: string): void {
  const present = existsSync(root + path) ? readFileSync(root + path, 'utf8') : '';
  if (present === text) return;
  stale.push(path);
  if (!check) writeFileSync(root + path, text);
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

const names = readdirSync(`${root}plugins`, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(`${root}plugins/${entry.name}/index.ts`))
  .map((entry) => entry.name)
  .sort();
write(
  'plugins/all.gen.ts',
  [
    '// Written by `npm run generate` from the folders of plugins/. Only types are used: the server finds plugins by scanning.',
    ...names.map((name) => `import ${name} from './${name}/index.js';`),
    '',
    `export const plugins = [${names.join(', ')}] as const;`,
    '',
  ].join('\n'),
);

const plugins = await findPlugins();
const registry = registryOf(plugins);
write('core/surfaces/sdk/operations.gen.ts', sdkSource(registry));
write('core/surfaces/cli/catalogue.gen.ts', catalogueText(registry));
write('core/surfaces/openapi/openapi.gen.json', descriptionText(registry));
write('plugins/auth/passwords/common.gen.ts', commonPasswordsSource());

const table = settingsTable([coreSettings, ...plugins.flatMap(({ settings }) => (settings ? [settings] : []))]);
const readme = existsSync(`${root}README.md`) ? readFileSync(`${root}README.md`, 'utf8') : '';
const marks = /(<!-- settings:begin -->\n)[\s\S]*?(<!-- settings:end -->)/;
if (marks.test(readme))
  write(
    'README.md',
    readme.replace(marks, (_, begin: string, end: string) => `${begin}${table}${end}`),
  );

process.stdout.write(
  stale.length === 0 ? 'All generated files are current.\n' : `${check ? 'Stale' : 'Written'}: ${stale.join(', ')}\n`,
);
if (check && stale.length > 0) {
  process.stderr.write('Run `npm run generate` and commit the result.\n');
  process.exitCode = 1;
}
