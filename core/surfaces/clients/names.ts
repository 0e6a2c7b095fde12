import { ownVersion } from '../version.js';

/** The packages that a server offers. */
export const clientNames = ['svc-sdk', 'svc-cli'] as const;
export type ClientName = (typeof clientNames)[number];

/**
 * The addresses of a package: one that stays, and one that changes with the version. npm stores the checksum of an
 * address in package-lock.json and keeps what `npx` fetched from it, so the page names the second one.
 */
export const clientPaths = (name: ClientName): readonly [string, string] => [
  `/clients/${name}.tgz`,
  `/clients/${name}-${ownVersion()}.tgz`,
];
