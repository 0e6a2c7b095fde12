import { readFileSync } from 'node:fs';

/** The version in package.json. */
export function ownVersion(): string {
  const fromSources = import.meta.url.endsWith('.ts');
  const path = new URL(fromSources ? '../../package.json' : '../../../package.json', import.meta.url);
  const found: unknown = JSON.parse(readFileSync(path, 'utf8'));
  const version: unknown = typeof found === 'object' && found !== null ? Reflect.get(found, 'version') : undefined;
  return typeof version === 'string' ? version : 'unknown';
}

/**
 * The version with the build, such as `1.4.0+3f2a9c1d0b7e`: two builds of one release differ. `npm run build` writes
 * the build to dist/build-id (scripts/build-id.ts). From sources, it is the commit.
 */
export function buildVersion(): string {
  const build = import.meta.url.endsWith('.ts') ? commitOf(new URL('../../.git/', import.meta.url)) : builtId();
  const version = ownVersion();
  return `${version}${version.includes('+') ? '.' : '+'}${build ?? 'unknown'}`;
}

const textAt = (path: URL): string | undefined => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
};

const builtId = (): string | undefined => textAt(new URL('../../build-id', import.meta.url));

/** @returns the first 12 digits of the commit that a repository has checked out; undefined if it is none */
function commitOf(git: URL): string | undefined {
  const head = textAt(new URL('HEAD', git));
  const [, ref] = /^ref: (\S+)$/.exec(head ?? '') ?? [];
  const packed = (name: string): string | undefined =>
    textAt(new URL('packed-refs', git))
      ?.split('\n')
      .find((line) => line.endsWith(` ${name}`));
  const commit = ref === undefined ? head : (textAt(new URL(ref, git)) ?? packed(ref));
  return commit?.slice(0, 12);
}

/**
 * A version of package.json as Python writes it (PEP 440): `1.2.0-beta.3` is 1.2.0b3. Other labels of pre-releases
 * count as development releases.
 */
export function pythonVersion(version = ownVersion()): string {
  const [, release = '0', label, count = '0'] = /^(\d+(?:\.\d+)*)(?:-([a-z]+)?\.?(\d+)?)?/i.exec(version) ?? [];
  if (!version.includes('-')) return release;
  const short: Readonly<Record<string, string>> = { alpha: 'a', beta: 'b', rc: 'rc' };
  return `${release}${short[label ?? ''] ?? '.dev'}${count}`;
}
