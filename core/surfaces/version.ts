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
 * A version of package.json as Python writes it (PEP 440): `1.2.0-beta.3` is 1.2.0b3. Other labels of pre-releases
 * count as development releases.
 */
export function pythonVersion(version = ownVersion()): string {
  const [, release = '0', label, count = '0'] = /^(\d+(?:\.\d+)*)(?:-([a-z]+)?\.?(\d+)?)?/i.exec(version) ?? [];
  if (!version.includes('-')) return release;
  const short: Readonly<Record<string, string>> = { alpha: 'a', beta: 'b', rc: 'rc' };
  return `${release}${short[label ?? ''] ?? '.dev'}${count}`;
}
