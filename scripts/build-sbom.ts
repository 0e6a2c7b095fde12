import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { isRecord } from '#core/runtime/json.js';
import { readManifest } from './sdk-package.js';

/*
 * The bill of materials (CycloneDX 1.5) of what is delivered: the packages that the server needs, and those whose code
 * is bundled into the console and the command line. `npm run build` writes it to dist/sbom.cdx.json. The same sources
 * give the same file.
 */

const fromSources = import.meta.url.endsWith('.ts');
const root = fileURLToPath(new URL(fromSources ? '..' : '../..', import.meta.url));

/** Bundles, by the files with the licenses of their packages (build-console.ts, `licensesOf`). */
const bundles = { console: 'dist/console/licenses.txt', cli: 'dist/cli/licenses.txt' } as const;

/** A package of the bill. npm adds more fields. */
interface Component {
  readonly ref: string;
  readonly name: string;
  readonly isDevelopment: boolean;
  readonly fields: Readonly<Record<string, unknown>>;
}

const recordsIn = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isRecord) : []);

function componentOf(fields: Readonly<Record<string, unknown>>, needed: ReadonlyMap<string, string>): Component {
  const ref = String(fields['bom-ref']);
  return { ref, name: String(fields['name']), isDevelopment: !needed.has(ref), fields };
}

/**
 * The packages of package-lock.json that the server needs, by `name@version`. npm's own mark of development packages
 * is that of the first copy of a version, and another copy of the same version may be one that the server needs.
 */
async function neededPackages(): Promise<Map<string, string>> {
  const lock: unknown = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  const packages = isRecord(lock) && isRecord(lock['packages']) ? Object.entries(lock['packages']) : [];
  const needed = new Map<string, string>();
  for (const [folder, fields] of packages) {
    if (folder === '' || !isRecord(fields) || fields['dev'] === true || fields['link'] === true) continue;
    const own = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
    needed.set(`${typeof fields['name'] === 'string' ? fields['name'] : own}@${String(fields['version'])}`, folder);
  }
  return needed;
}

/** Licenses by the words of the texts that packages have in place of a name. */
const licenseWords: readonly (readonly [id: string, words: RegExp])[] = [
  ['Bitstream-Vera', /Bitstream Vera Fonts Copyright/],
  ['Apache-2.0', /Apache License\s+Version 2\.0/],
  ['MIT', /^MIT\b|Permission is hereby granted, free of charge, to any person obtaining a copy\s+of this software/],
  ['ISC', /Permission to use, copy, modify, and\/or distribute this software/],
];

/**
 * The license of a package that names none of the SPDX list: by what its manifest says in other words, or else by the
 * text of its license.
 * @throws Error if it has none, because it may then not be distributed
 */
async function readLicense(folder: string): Promise<{ license: { id: string } }> {
  const manifest: unknown = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
  const said = isRecord(manifest) && typeof manifest['license'] === 'string' ? [manifest['license']] : [];
  const file = (await readdir(join(root, folder))).find((name) => /^licen[cs]e(?:\.|$)/i.test(name));
  const texts = [...said, ...(file === undefined ? [] : [await readFile(join(root, folder, file), 'utf8')])];
  for (const text of texts) {
    const [id] = licenseWords.find(([, words]) => words.test(text)) ?? [];
    if (id !== undefined) return { license: { id } };
  }
  throw new Error(`${folder} has no license that is known, so svc cannot be distributed with it.`);
}

/** What npm says of all packages in package-lock.json. */
async function npmBill(): Promise<Record<string, unknown>> {
  // Without the options of the npm that runs this: `npm ci --include=dev` hands them down as npm_config_….
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name)));
  const npm = process.env['npm_execpath'];
  const words = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  const [program, given] = npm === undefined ? ['npm', words] : [process.execPath, [npm, ...words]];
  const { stdout } = await promisify(execFile)(program, given, { cwd: root, env, maxBuffer: 64 << 20 });
  const bill: unknown = JSON.parse(stdout);
  if (!isRecord(bill)) throw new Error('npm sbom printed no bill of materials.');
  return bill;
}

/** The names of the packages in a bundle. @param licenses the text that `licensesOf` made */
export const bundledNames = (licenses: string): string[] =>
  licenses.split(/^-{80}$/m).map((part) => part.trimStart().split('\n')[0] ?? '');

/**
 * Makes the bill of materials.
 * @param bundled the names of the packages in each bundle
 * @throws Error if npm cannot read package-lock.json
 */
export async function billOfMaterials(bundled: Readonly<Record<string, readonly string[]>>): Promise<string> {
  const [{ metadata, components, dependencies, ...bill }, manifest, installed] = await Promise.all([
    npmBill(),
    readManifest(),
    neededPackages(),
  ]);
  const partsWith = ({ name }: Component): string[] =>
    Object.keys(bundled).filter((bundle) => bundled[bundle]?.includes(name));
  const all = recordsIn(components).map((each) => componentOf(each, installed));
  const needed = new Set(all.filter(({ isDevelopment }) => !isDevelopment).map(({ name }) => name));
  // Other versions of a package that the server needs are of development tools.
  const delivered = all
    .filter((each) => !each.isDevelopment || (partsWith(each).length > 0 && !needed.has(each.name)))
    .sort((a, b) => (a.ref < b.ref ? -1 : 1));
  const own = isRecord(metadata) && isRecord(metadata['component']) ? metadata['component'] : {};
  const refs = new Set([...delivered.map(({ ref }) => ref), String(own['bom-ref'])]);
  const licensesOfComponent = async ({ ref, fields }: Component): Promise<unknown> =>
    recordsIn(fields['licenses']).length > 0
      ? fields['licenses']
      : [await readLicense(installed.get(ref) ?? `node_modules/${ref.slice(0, ref.lastIndexOf('@'))}`)];
  const content = {
    metadata: {
      // No time and no version of npm: they would change the file although its content is the same.
      tools: [{ vendor: 'npm', name: 'cli' }],
      component: { ...own, name: manifest['name'] },
    },
    components: await Promise.all(
      delivered.map(async (each) => ({
        ...each.fields,
        licenses: await licensesOfComponent(each),
        properties: partsWith(each).map((bundle) => ({ name: 'svc:bundle', value: bundle })),
      })),
    ),
    dependencies: recordsIn(dependencies)
      .filter(({ ref }) => refs.has(String(ref)))
      .map(({ ref, dependsOn }) => ({
        ref,
        dependsOn: (Array.isArray(dependsOn) ? dependsOn.map(String) : []).filter((each) => refs.has(each)).sort(),
      })),
  };
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  // A UUID of version 8, for values that an application derives (RFC 9562 §5.8).
  const uuid = digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
  return `${JSON.stringify({ ...bill, serialNumber: `urn:uuid:${uuid}`, ...content }, null, 2)}\n`;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const read = async (file: string): Promise<string[]> => bundledNames(await readFile(join(root, file), 'utf8'));
  const bundled = { console: await read(bundles.console), cli: await read(bundles.cli) };
  await writeFile(join(root, 'dist/sbom.cdx.json'), await billOfMaterials(bundled));
}
