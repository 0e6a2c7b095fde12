import type { SslOptions } from 'mysql2';
import { databaseAddress, type DatabaseAddress, type DatabaseHost } from './address.js';

/** How connections to the database are encrypted. */
export interface DatabaseTls {
  /** required: encrypted; verify-ca: the server's certificate is checked too; verify: and its name. */
  readonly mode: 'required' | 'verify-ca' | 'verify';
  /** Authorities of the server's certificate, as PEM; by default those that Node trusts. */
  readonly ca?: string;
  /** svc's own certificate and its key, as PEM. */
  readonly client?: { readonly certificate: string; readonly key: string };
}

/** A database and how to connect to it. */
export interface DatabaseTarget {
  /** mysql://user:password@host:port/database, or with several hosts (see databaseAddress) */
  readonly url: string;
  /** undefined: connections are not encrypted. */
  readonly tls?: DatabaseTls | undefined;
}

interface DriverOptions extends DatabaseHost, Omit<DatabaseAddress, 'hosts'> {
  readonly connectTimeout: number;
  readonly ssl?: SslOptions;
}

/**
 * The driver's options for a connection: the same for every connection of svc.
 * @param host the server of the target to connect to (see findPrimary)
 * @throws Error as databaseAddress()
 */
export function driverOptions({ url, tls }: DatabaseTarget, host: DatabaseHost): DriverOptions {
  const { hosts, ...address } = databaseAddress(url);
  // A connection that is being opened to a host that hangs takes a place in the pool.
  const connectTimeout = hosts.length > 1 ? 2_000 : 5_000;
  return { ...address, ...host, connectTimeout, ...(tls && { ssl: sslOptions(tls) }) };
}

const sslOptions = ({ mode, ca, client }: DatabaseTls): SslOptions => ({
  rejectUnauthorized: mode !== 'required',
  verifyIdentity: mode === 'verify',
  ...(ca !== undefined && { ca }),
  ...(client && { cert: client.certificate, key: client.key }),
});
