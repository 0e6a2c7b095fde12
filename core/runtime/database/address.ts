import { isAbsolute } from 'node:path';

/**
 * The parts of mysql://user:password@host:port/name or mysql://user:password@localhost/name?socketPath=/path, decoded.
 */
export interface DatabaseAddress {
  readonly host: string;
  readonly port: number;
  /** The server's Unix socket, which is used instead of host and port: a call takes a quarter less time over it. */
  readonly socketPath?: string;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** Parameters that other programs use to request TLS. */
const tlsParameter = /^(ssl|tls|require-?secure|useSSL)/i;

/**
 * Parses the address of a database. The driver gets its parts and never the URL, whose parameters it would read as its
 * own settings.
 * @throws Error whose message completes “SVC_DATABASE_URL …” and does not repeat the URL, which may hold a password
 */
export function databaseAddress(url: string): DatabaseAddress {
  const { hostname, port, username, password, pathname, searchParams, hash } = new URL(url);
  const parameters = [...new Set(searchParams.keys())].filter((name) => name !== 'socketPath');
  if (parameters.length > 0) {
    const instead = parameters.some((name) => tlsParameter.test(name))
      ? ', and use SVC_DATABASE_TLS for encryption'
      : '';
    throw new Error(
      `must have no parameters but socketPath: remove ${parameters.map((name) => `"${name}"`).join(', ')}${instead}`,
    );
  }
  if (hash !== '') throw new Error('must not contain "#": write it as %23 in a name or a password');
  const parts = {
    // An IPv6 address is in brackets only in a URL.
    host: decoded(hostname).replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? 3306 : Number(port),
    user: decoded(username),
    password: decoded(password),
    database: decoded(pathname.slice(1)),
    ...socketOf(url),
  };
  if (parts.database === '' || pathname.slice(1).includes('/'))
    throw new Error('must name a database: mysql://user:password@host:3306/svc');
  return parts;
}

function socketOf(url: string): Pick<DatabaseAddress, 'socketPath'> {
  const { hostname, port, searchParams } = new URL(url);
  const [socketPath, ...more] = searchParams.getAll('socketPath');
  if (socketPath === undefined) return {};
  if (more.length > 0) throw new Error('must name one socketPath');
  if (!isAbsolute(socketPath))
    throw new Error('must have an absolute path as socketPath: ?socketPath=/run/mysqld/mysqld.sock');
  if (hostname !== 'localhost' || port !== '')
    throw new Error(
      'must name localhost and no port beside socketPath: mysql://user:password@localhost/svc?socketPath=…',
    );
  return { socketPath };
}

/** Where a server is, for people: its socket's path, or host:port. */
export const placeOf = ({ host, port, socketPath }: Pick<DatabaseAddress, 'host' | 'port' | 'socketPath'>): string =>
  socketPath ?? `${host.includes(':') ? `[${host}]` : host}:${port}`;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('has a "%" that is not followed by two hexadecimal digits: write it as %25');
  }
}
