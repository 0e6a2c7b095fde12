import { createServer } from 'node:net';
import type { Listener } from '#core/kernel/listener.js';
import type { Plugin } from '#core/kernel/plugin.js';
import { enabledOf, isProduction, type AllSettings } from '#core/kernel/registry/startable.js';
import { StartError } from './start-error.js';

/* Checks that can stop the start before the database is opened. */

/**
 * Checks that the server and the listeners of plugins can listen, before the database is needlessly opened and
 * migrated.
 * @throws StartError
 */
export async function requireFreePorts({ core, of }: AllSettings, plugins: readonly Plugin[]): Promise<void> {
  await listenBriefly(core.port, core.host).catch((error: unknown) => {
    throw listenError(error, core.host, core.port);
  });
  const facts = { production: isProduction(core), settingsOf: of };
  for (const listener of enabledOf(core, plugins).flatMap((plugin) => plugin.listensOn?.(facts) ?? []))
    if ([listener.role, 'all'].includes(core.role))
      await listenBriefly(listener.port).catch((error: unknown) => {
        throw listenerError(listener, error);
      });
}

async function listenBriefly(port: number, host?: string): Promise<void> {
  if (port === 0) return;
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, ...(host !== undefined && { host }) }, () => server.close(() => resolve()));
  });
}

/** The error of a plugin's listener that did not start: with the setting to change, if another port would solve it. */
export function listenerError({ name, portSetting }: Pick<Listener, 'name' | 'portSetting'>, error: unknown): Error {
  const message = `${name} did not start: ${error instanceof Error ? error.message : String(error)}`;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const isPort = code === 'EADDRINUSE' || code === 'EACCES';
  if (portSetting === undefined || !isPort) return new Error(message, { cause: error });
  const fix =
    code === 'EACCES'
      ? `Give this user the right to listen there (CAP_NET_BIND_SERVICE below 1024), or set ${portSetting} to another port.`
      : `Stop the program that uses the port, or set ${portSetting} to another one.`;
  return new StartError(`${message}\n  ${fix}`, { cause: error });
}

/** The error of a server that cannot listen, with the setting to change; other errors are returned unchanged. */
export function listenError(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const another = `set SVC_PORT to a free port: SVC_PORT=${port < 65_535 && port >= 1_024 ? port + 1 : 8081} npm start`;
  switch (code) {
    case 'EADDRINUSE':
      return new StartError(`Port ${port} of ${host} is taken: stop the program that uses it, or ${another}`, {
        cause: error,
      });
    case 'EACCES':
      return new StartError(`This user may not listen on port ${port}: ${another}`, { cause: error });
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(
        `${host} is not an address of this machine: set SVC_HOST to one that is, such as 127.0.0.1, or 0.0.0.0 for all.`,
        { cause: error },
      );
    default:
      return error;
  }
}
