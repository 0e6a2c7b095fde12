import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { pack } from 'tar-stream';
import { at, isRecord } from '#core/runtime/json.js';
import { cacheHeaders, type CachedPage } from '../cached-page.js';
import { clientPaths, type ClientName } from './names.js';

/*
 * The clients of this server as npm packages. `npm run build` makes their files in dist/sdk and dist/cli; the server
 * adds its own address and packs them, so that the installed client needs no configuration.
 */

/** dist, whether this file runs from the sources or from dist. */
const dist = new URL(import.meta.url.endsWith('.ts') ? '../../../dist/' : '../../../', import.meta.url);

const folders: Readonly<Record<ClientName, string>> = { 'svc-sdk': 'sdk', 'svc-cli': 'cli' };

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
  readonly tarball: CachedPage;
}

/** The file of both packages that has the server's address. */
const addressFile = 'server-address.js';
/** The time of all files, as npm sets it: the same version has the same bytes wherever the same Node.js packs it. */
const fileTime = new Date('1985-10-26T08:15:00.000Z');
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
  const folder = new URL(`${folders[name]}/`, dist);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .sort();
  if (!files.includes('package.json')) return undefined;
  const manifest: unknown = JSON.parse(await readFile(new URL('package.json', folder), 'utf8'));
  const bin = at(manifest, 'bin');
  const programs = isRecord(bin) ? Object.values(bin) : [];
  const archive = pack();
  for (const file of files) {
    const content =
      file === addressFile
        ? `export const serverAddress = ${JSON.stringify(baseUrl)};\n`
        : await readFile(new URL(file, folder));
    const mode = programs.includes(file) ? 0o755 : 0o644;
    archive.entry({ name: `package/${file}`, mode, mtime: fileTime }, content);
  }
  archive.finalize();
  const body = await gzipped(await buffer(archive), { level: 9 });
  const digest = (algorithm: string) => createHash(algorithm).update(body);
  return {
    name,
    version: String(at(manifest, 'version')),
    url: `${baseUrl}${clientPaths(name)[1]}`,
    bytes: body.length,
    sha256: digest('sha256').digest('hex'),
    integrity: `sha512-${digest('sha512').digest('base64')}`,
    tarball: { body, headers: { 'Content-Type': 'application/gzip', ...cacheHeaders(body) } },
  };
}
