import { ownVersion, pythonVersion } from '../version.js';

/** The packages that a server offers: two for npm, one for pip, one for Go. */
export const clientNames = ['svc-sdk', 'svc_sdk', 'svc-go', 'svc-cli'] as const;
export type ClientName = (typeof clientNames)[number];

/**
 * The path of the Go SDK's module, as in its go.mod. Nobody can own a name below .internal (ICANN Board resolution
 * 2024.07.29.06).
 */
export const goModulePath = 'svc.internal/svc';

/** Where the go command finds the module: the address of a proxy that has nothing else. */
export const goProxyPath = '/clients/go';

/**
 * The file of a package. Its name changes with the version: npm stores the checksum of an address in package-lock.json
 * and keeps what `npx` fetched from it, so the page names this address.
 */
export function clientFile(name: ClientName): string {
  switch (name) {
    case 'svc_sdk':
      return `svc_sdk-${pythonVersion()}-py3-none-any.whl`;
    case 'svc-go':
      return `svc-go-${ownVersion()}.zip`;
    default:
      return `${name}-${ownVersion()}.tgz`;
  }
}

/**
 * The addresses of a package. Those of npm also have one that stays; pip reads the version from the file's name
 * (https://packaging.python.org/en/latest/specifications/binary-distribution-format/#file-name-convention).
 */
export const clientPaths = (name: ClientName): readonly string[] => [
  ...(clientFile(name).endsWith('.tgz') ? [`/clients/${name}.tgz`] : []),
  `/clients/${clientFile(name)}`,
];
