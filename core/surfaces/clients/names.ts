import { ownVersion, pythonVersion } from '../version.js';

/** The packages that a server offers: two for npm, one for pip. */
export const clientNames = ['svc-sdk', 'svc_sdk', 'svc-cli'] as const;
export type ClientName = (typeof clientNames)[number];

/**
 * The file of a package. Its name changes with the version: npm stores the checksum of an address in package-lock.json
 * and keeps what `npx` fetched from it, so the page names this address.
 */
export const clientFile = (name: ClientName): string =>
  name === 'svc_sdk' ? `svc_sdk-${pythonVersion()}-py3-none-any.whl` : `${name}-${ownVersion()}.tgz`;

/**
 * The addresses of a package. Those of npm also have one that stays; pip reads the version from the file's name
 * (https://packaging.python.org/en/latest/specifications/binary-distribution-format/#file-name-convention).
 */
export const clientPaths = (name: ClientName): readonly string[] => [
  ...(name === 'svc_sdk' ? [] : [`/clients/${name}.tgz`]),
  `/clients/${clientFile(name)}`,
];
