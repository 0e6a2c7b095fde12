import { createHash } from 'node:crypto';
import { cacheHeaders, type CachedPage } from '../cached-page.js';
import { ownVersion } from '../version.js';
import { goModulePath } from './names.js';
import { zipFile, type PackedFile } from './zip.js';

/* The Go SDK as a module, as the go command asks a proxy for it (https://go.dev/ref/mod#goproxy-protocol). */

/** The time of the version, as in the packages for npm. */
const versionTime = '1985-10-26T08:15:00Z';

/**
 * The version of a module with these files: `v0.1.0-h4f2a…`. Go takes the same path and version for the same bytes
 * everywhere, but the files of each server have its own address. Therefore the version names their checksum.
 */
export function goModuleVersion(files: readonly PackedFile[]): string {
  const lines = files.map(({ path, content }) => `${createHash('sha256').update(content).digest('hex')}  ${path}\n`);
  const digest = createHash('sha256').update(lines.join('')).digest('hex').slice(0, 12);
  const [release = ''] = ownVersion().split('+');
  return `v${release}${release.includes('-') ? '.' : '-'}h${digest}`;
}

/** The answers of a proxy that has only this module in only this version, by their path below the proxy's address. */
export async function goModulePages(files: readonly PackedFile[]): Promise<ReadonlyMap<string, CachedPage>> {
  const version = goModuleVersion(files);
  const page = (type: string, text: string | Buffer): CachedPage => {
    const body = Buffer.from(text);
    return { body, headers: { 'Content-Type': type, ...cacheHeaders(body) } };
  };
  const plain = 'text/plain; charset=utf-8';
  const info = page('application/json', JSON.stringify({ Version: version, Time: versionTime }));
  const manifest = files.find(({ path }) => path === 'go.mod')?.content ?? '';
  const versions = `${goModulePath}/@v`;
  return new Map([
    [`${versions}/list`, page(plain, `${version}\n`)],
    [`${goModulePath}/@latest`, info],
    [`${versions}/${version}.info`, info],
    [`${versions}/${version}.mod`, page(plain, manifest)],
    [`${versions}/${version}.zip`, page('application/zip', await zipFile(files, `${goModulePath}@${version}/`))],
  ]);
}
