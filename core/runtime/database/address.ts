/** The parts of mysql://user:password@host:port/name, decoded. */
export interface DatabaseAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** Parameters with which other programs ask for TLS. */
const tlsParameter = /^(ssl|tls|require-?secure|useSSL)/i;

/**
 * Parses the address of a database. The driver gets its parts and never the URL, whose parameters it would read as its own settings.
 * @throws Error whose message completes “SVC_DATABASE_URL …” and does not repeat the URL, which may hold a password
 */
export function databaseAddress(url: string): DatabaseAddress {
  const { hostname, port, username, password, pathname, searchParams, hash } = new URL(url);
  const parameters = [...new Set(searchParams.keys())];
  if (parameters.length > 0) {
    const instead = parameters.some((name) => tlsParameter.test(name))
      ? ', and use SVC_DATABASE_TLS for encryption'
      : '';
    throw new Error(`must have no parameters: remove ${parameters.map((name) => `"${name}"`).join(', ')}${instead}`);
  }
  if (hash !== '') throw new Error('must not contain "#": write it as %23 in a name or a password');
  const parts = {
    // An IPv6 address stands in brackets in a URL alone.
    host: decoded(hostname).replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? 3306 : Number(port),
    user: decoded(username),
    password: decoded(password),
    database: decoded(pathname.slice(1)),
  };
  if (parts.database === '' || pathname.slice(1).includes('/'))
    throw new Error('must name a database: mysql://user:password@host:3306/svc');
  return parts;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('has a "%" that is not followed by two hexadecimal digits: write it as %25');
  }
}
