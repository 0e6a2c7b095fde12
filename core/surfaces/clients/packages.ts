import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { pack } from 'tar-stream';
import { at, isRecord } from '#core/runtime/json.js';
import { cacheHeaders, type CachedPage } from '../cached-page.js';
import { ownVersion, pythonVersion } from '../version.js';
import { goModulePages, goModuleVersion } from './go-module.js';
import { clientFile, type ClientName } from './names.js';
import { zipFile, type PackedFile } from './zip.js';

/*
 * The clients of this server as packages for npm, pip and Go. `npm run build` makes their files in folders of dist; the
 * server adds its own address and packs them, so that the installed client needs no configuration.
 */

/** dist, whether this file runs from the sources or from dist. */
const dist = new URL(import.meta.url.endsWith('.ts') ? '../../../dist/' : '../../../', import.meta.url);

/** A client that can be installed. */
export interface ClientPackage {
  readonly name: ClientName;
  readonly version: string;
  readonly url: string;
  readonly bytes: number;
  /** In hexadecimal, as `sha256sum` prints it. */
  readonly sha256: string;
  /** As npm stores it in package-lock.json (Subresource Integrity). */
  readonly integrity: string;
  readonly file: CachedPage;
  /** For Go: what a module proxy answers, by the path below its address. Empty for other packages. */
  readonly modulePages: ReadonlyMap<string, CachedPage>;
}

/** How a client becomes a package. */
interface Format {
  /** The folder of dist that has its files. */
  readonly folder: string;
  /** The version as the package's tools write it. */
  readonly version: (files: readonly PackedFile[]) => string;
  /** Written last by the build: without it, the client was not built. */
  readonly lastFile: string;
  /** The file that has the server's address, and its content. */
  readonly addressFile: string;
  readonly addressSource: (baseUrl: string) => string;
  readonly contentType: string;
  /** @param files sorted by path */
  readonly archive: (files: readonly PackedFile[]) => Promise<Buffer>;
  readonly modulePages?: (files: readonly PackedFile[]) => Promise<ReadonlyMap<string, CachedPage>>;
}

const npmFormat = (folder: string): Format => ({
  folder,
  version: ownVersion,
  lastFile: 'package.json',
  addressFile: 'server-address.js',
  addressSource: (baseUrl) => `export const serverAddress = ${JSON.stringify(baseUrl)};\n`,
  contentType: 'application/gzip',
  archive: npmTarball,
});

const formats: Readonly<Record<ClientName, Format>> = {
  'svc-sdk': npmFormat('sdk'),
  'svc-cli': npmFormat('cli'),
  svc_sdk: {
    folder: 'sdk-python',
    version: () => pythonVersion(),
    lastFile: `svc_sdk-${pythonVersion()}.dist-info/WHEEL`,
    addressFile: 'svc_sdk/_server_address.py',
    addressSource: (baseUrl) =>
      `from typing import Optional\n\nSERVER_ADDRESS: Optional[str] = ${JSON.stringify(baseUrl)}\n`,
    contentType: 'application/zip',
    archive: wheel,
  },
  'svc-go': {
    folder: 'sdk-go',
    version: goModuleVersion,
    lastFile: 'go.mod',
    addressFile: 'server_address.go',
    addressSource: (baseUrl) => `package svc\n\nconst serverAddress = ${JSON.stringify(baseUrl)}\n`,
    contentType: 'application/zip',
    // For `replace` in go.mod.
    archive: (files) => zipFile(files, 'svc/'),
    modulePages: goModulePages,
  },
};

const gzipped = promisify(gzip);

/** By address and name. Packing takes tenths of a second, and the address is public. */
const packed = new Map<string, Promise<ClientPackage | undefined>>();

/**
 * A client for the server at `baseUrl`. It is packed at the first request and then kept.
 * @returns undefined if it was not built
 */
export async function clientPackage(name: ClientName, baseUrl: string): Promise<ClientPackage | undefined> {
  const key = `${name} ${baseUrl}`;
  const packing = packed.get(key) ?? packClient(name, baseUrl);
  packed.set(key, packing);
  const found = await packing.catch((error: unknown) => {
    packed.delete(key);
    throw error;
  });
  // It may be built while the server runs.
  if (!found) packed.delete(key);
  return found;
}

async function packClient(name: ClientName, baseUrl: string): Promise<ClientPackage | undefined> {
  const { folder, version, lastFile, addressFile, addressSource, contentType, archive, modulePages } = formats[name];
  const root = new URL(`${folder}/`, dist);
  const paths = await filesIn(root);
  if (!paths.includes(lastFile)) return undefined;
  const files: PackedFile[] = [];
  for (const path of paths) {
    const content = path === addressFile ? Buffer.from(addressSource(baseUrl)) : await readFile(new URL(path, root));
    files.push({ path, content });
  }
  const body = await archive(files);
  const digest = (algorithm: string) => createHash(algorithm).update(body);
  return {
    name,
    version: version(files),
    url: `${baseUrl}/clients/${clientFile(name)}`,
    bytes: body.length,
    sha256: digest('sha256').digest('hex'),
    integrity: `sha512-${digest('sha512').digest('base64')}`,
    file: { body, headers: { 'Content-Type': contentType, ...cacheHeaders(body) } },
    modulePages: (await modulePages?.(files)) ?? new Map(),
  };
}

/** The paths of the files in a folder and its folders, sorted; none if it does not exist. */
async function filesIn(folder: URL, prefix = ''): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries.map(async (entry) =>
      entry.isDirectory()
        ? filesIn(new URL(`${entry.name}/`, folder), `${prefix}${entry.name}/`)
        : [`${prefix}${entry.name}`],
    ),
  );
  return found.flat().sort();
}

/** The time of all files, as npm sets it: the same version has the same bytes wherever the same Node.js packs it. */
const fileTime = new Date('1985-10-26T08:15:00.000Z');

async function npmTarball(files: readonly PackedFile[]): Promise<Buffer> {
  const manifest: unknown = JSON.parse(String(files.find(({ path }) => path === 'package.json')?.content));
  const bin = at(manifest, 'bin');
  const programs = isRecord(bin) ? Object.values(bin) : [];
  const archive = pack();
  for (const { path, content } of files)
    archive.entry({ name: `package/${path}`, mode: programs.includes(path) ? 0o755 : 0o644, mtime: fileTime }, content);
  archive.finalize();
  return gzipped(await buffer(archive), { level: 9 });
}

/**
 * A wheel: a zip file with the checksums of its files in RECORD
 * (https://packaging.python.org/en/latest/specifications/binary-distribution-format/).
 */
async function wheel(files: readonly PackedFile[]): Promise<Buffer> {
  const record = `svc_sdk-${pythonVersion()}.dist-info/RECORD`;
  const lines = files.map(({ path, content }) => {
    const digest = createHash('sha256').update(content).digest('base64url');
    return `${path},sha256=${digest},${content.length}\n`;
  });
  return zipFile([...files, { path: record, content: Buffer.from(`${lines.join('')}${record},,\n`) }]);
}
