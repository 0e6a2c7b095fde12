import { isAbsolute } from 'node:path';

/** A database server of SVC_DATABASE_URL. */
export interface DatabaseHost {
  readonly host: string;
  readonly port: number;
  /** The server's Unix socket, which is used instead of host and port: a call takes a quarter less time over it. */
  readonly socketPath?: string;
}

/**
 * The parts of mysql://user:password@host:port/name, mysql://user:password@a:3306,b:3306,c:3306/name or
 * mysql://user:password@localhost/name?socketPath=/path, decoded.
 */
export interface DatabaseAddress {
  /** Servers that hold the same database. Only one of them, the primary, accepts changes at a time. */
  readonly hosts: readonly [DatabaseHost, ...DatabaseHost[]];
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
  const [first, ...others] = urlsOfHosts(url);
  const hosts = [hostOf(first), ...others.map(hostOf)] as const;
  if (others.length > 0 && hosts.some(({ socketPath }) => socketPath !== undefined))
    throw new Error('must name one host if it has a socketPath');
  if (new Set(hosts.map(placeOfHost)).size < hosts.length) throw new Error('must name each host once');
  const { username, password, pathname, searchParams, hash } = first;
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
  const database = decoded(pathname.slice(1));
  if (database === '' || pathname.slice(1).includes('/'))
    throw new Error('must name a database: mysql://user:password@host:3306/svc');
  return { hosts, user: decoded(username), password: decoded(password), database };
}

/**
 * One URL for each host, for servers that are independent databases.
 * @throws Error as databaseAddress()
 */
export function urlOfEach(url: string): readonly string[] {
  databaseAddress(url);
  return urlsOfHosts(url).map(({ href }) => href);
}

/** One URL for each host: URL() refuses a list of hosts with ports. */
function urlsOfHosts(url: string): readonly [URL, ...URL[]] {
  const [, scheme = '', authority = '', rest = ''] = /^([^:]*:\/\/)([^/?#]*)(.*)$/s.exec(url) ?? [];
  const endOfUser = authority.lastIndexOf('@') + 1;
  const parsed = authority
    .slice(endOfUser)
    .split(',')
    .map((host) => {
      const one = `${scheme}${authority.slice(0, endOfUser)}${host}${rest}`;
      if (host === '' || !URL.canParse(one))
        throw new Error(
          'must be mysql://user:password@host:3306/svc, or have several hosts with commas between them: mysql://user:password@a:3306,b:3306/svc',
        );
      return new URL(one);
    });
  const [first, ...others] = parsed;
  if (!first) throw new Error('must name a host');
  return [first, ...others];
}

const hostOf = (url: URL): DatabaseHost => ({
  // An IPv6 address is in brackets only in a URL.
  host: decoded(url.hostname).replace(/^\[(.*)\]$/, '$1'),
  port: url.port === '' ? 3306 : Number(url.port),
  ...socketOf(url),
});

function socketOf({ hostname, port, searchParams }: URL): Pick<DatabaseHost, 'socketPath'> {
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
export const placeOfHost = ({ host, port, socketPath }: DatabaseHost): string =>
  socketPath ?? `${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Where the servers are, for people. */
export const placeOf = ({ hosts }: Pick<DatabaseAddress, 'hosts'>): string => hosts.map(placeOfHost).join(', ');

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('has a "%" that is not followed by two hexadecimal digits: write it as %25');
  }
}
