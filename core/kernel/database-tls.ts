import { isIP } from 'node:net';
import { databaseAddress } from '#core/runtime/database/address.js';
import type { DatabaseTls } from '#core/runtime/database/driver-options.js';
import type { coreSettings } from './settings.js';
import { SettingsError, type Settings } from '#config/read.js';

/**
 * How connections to the database are encrypted; undefined if they are not.
 * @throws SettingsError if the settings contradict each other
 */
export function databaseTls({
  databaseTls: mode,
  databaseTlsCa: ca,
  databaseTlsCert: certificate,
  databaseTlsKey: key,
  databaseUrl,
  databaseReadUrl,
}: Settings<typeof coreSettings>['core']): DatabaseTls | undefined {
  const problems: string[] = [];
  const isGiven = [ca, certificate, key].some((each) => each !== undefined);
  if (mode === 'disabled' && isGiven)
    problems.push(
      'SVC_DATABASE_TLS is disabled, so its certificates would not be used. Set SVC_DATABASE_TLS=verify, or remove SVC_DATABASE_TLS_CA, SVC_DATABASE_TLS_CERT and SVC_DATABASE_TLS_KEY.',
    );
  if (mode === 'required' && ca !== undefined)
    problems.push(
      'SVC_DATABASE_TLS=required does not check the server, so SVC_DATABASE_TLS_CA would not be used. Set SVC_DATABASE_TLS=verify (or verify-ca, if the certificate names another host), or remove SVC_DATABASE_TLS_CA.',
    );
  const urls = { SVC_DATABASE_URL: databaseUrl, SVC_DATABASE_READ_URL: databaseReadUrl };
  for (const [variable, url] of Object.entries(urls)) {
    const hosts = url === undefined ? [] : databaseAddress(url).hosts;
    if (mode === 'verify' && hosts.some(({ host }) => isIP(host) !== 0))
      problems.push(
        `SVC_DATABASE_TLS=verify checks the name of the server, and ${variable} has an IP address. Write its name there, or set SVC_DATABASE_TLS=verify-ca.`,
      );
    if (mode !== 'disabled' && hosts.some(({ socketPath }) => socketPath !== undefined))
      problems.push(
        `SVC_DATABASE_TLS is for connections over a network, and ${variable} names a socketPath, which stays on this machine. Remove SVC_DATABASE_TLS.`,
      );
  }
  if ((certificate === undefined) !== (key === undefined))
    problems.push('SVC_DATABASE_TLS_CERT and SVC_DATABASE_TLS_KEY belong together. Set both or none.');
  if (mode !== 'disabled' && databaseUrl === undefined)
    problems.push(
      'SVC_DATABASE_TLS is for the database of SVC_DATABASE_URL, which is not set. Set it, or remove SVC_DATABASE_TLS: svc reaches its private server through a Unix socket.',
    );
  if (problems.length > 0) throw new SettingsError(problems);
  if (mode === 'disabled') return undefined;
  return {
    mode,
    ...(ca !== undefined && { ca }),
    ...(certificate !== undefined && key !== undefined && { client: { certificate, key } }),
  };
}
