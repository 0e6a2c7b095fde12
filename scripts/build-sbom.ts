import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
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

function componentOf(fields: Readonly<Record<string, unknown>>): Component {
  const isDevelopment = recordsIn(fields['properties']).some(({ name }) => name === 'cdx:npm:package:development');
  return { ref: String(fields['bom-ref']), name: String(fields['name']), isDevelopment, fields };
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
  const [{ metadata, components, dependencies, ...bill }, manifest] = await Promise.all([npmBill(), readManifest()]);
  const partsWith = ({ name }: Component): string[] =>
    Object.keys(bundled).filter((bundle) => bundled[bundle]?.includes(name));
  const all = recordsIn(components).map(componentOf);
  const needed = new Set(all.filter(({ isDevelopment }) => !isDevelopment).map(({ name }) => name));
  // Other versions of a package that the server needs are of development tools.
  const delivered = all
    .filter((each) => !each.isDevelopment || (partsWith(each).length > 0 && !needed.has(each.name)))
    .sort((a, b) => (a.ref < b.ref ? -1 : 1));
  const own = isRecord(metadata) && isRecord(metadata['component']) ? metadata['component'] : {};
  const refs = new Set([...delivered.map(({ ref }) => ref), String(own['bom-ref'])]);
  const content = {
    metadata: {
      // No time and no version of npm: they would change the file although its content is the same.
      tools: [{ vendor: 'npm', name: 'cli' }],
      component: { ...own, name: manifest['name'] },
    },
    components: delivered.map((each) => ({
      ...each.fields,
      properties: partsWith(each).map((bundle) => ({ name: 'svc:bundle', value: bundle })),
    })),
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
