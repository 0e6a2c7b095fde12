import { readFileSync } from 'node:fs';

/** The version in package.json. */
export function ownVersion(): string {
  const fromSources = import.meta.url.endsWith('.ts');
  const path = new URL(fromSources ? '../../package.json' : '../../../package.json', import.meta.url);
  const found: unknown = JSON.parse(readFileSync(path, 'utf8'));
  const version: unknown = typeof found === 'object' && found !== null ? Reflect.get(found, 'version') : undefined;
  return typeof version === 'string' ? version : 'unknown';
}
