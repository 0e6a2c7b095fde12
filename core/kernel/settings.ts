import { readFileSync } from 'node:fs';
import ipaddr from 'ipaddr.js';
import { mailboxKey, parseAddress } from './schema/email-address.js';
import { retentionSettings } from './retention-settings.js';
import { checkShard, shardAddresses, shardsProblem } from './shard-addresses.js';
import { databaseAddress, placeOf } from '#core/runtime/database/address.js';
import { firstShard, lastShard } from '#core/runtime/shard.js';
import { parseRootKey } from '#core/runtime/secrets/root-key.js';
import { checkHttpAddress, checkHttpPort } from '#config/blocked-ports.js';
import {
  choiceSetting,
  integerSetting,
  listSetting,
  textSetting,
  urlSetting,
  whetherSet,
  type Setting,
} from '#config/declare.js';

function checkCidr(item: string): void {
  if (!isFullRange(item)) throw new Error(`must be a list of ranges such as 10.0.0.0/8; "${item}" is not a range`);
}

function checkProxy(item: string): void {
  if (!isFullRange(item) && !isFullAddress(item))
    throw new Error(`must be a list of addresses and ranges such as 10.0.0.0/8; "${item}" is neither`);
}

/** ipaddr.js also accepts short forms, such as 10.1 for 10.0.0.1, and reads 10/8 as 0.0.0.10/8. */
const isFullRange = (item: string): boolean =>
  ipaddr.IPv4.isValidCIDRFourPartDecimal(item) || (item.includes(':') && ipaddr.IPv6.isValidCIDR(item));
const isFullAddress = (item: string): boolean => ipaddr.IPv4.isValidFourPartDecimal(item) || ipaddr.IPv6.isValid(item);

/** Whether only this machine reaches the address. */
const isLoopback = (host: string): boolean =>
  host === 'localhost' || (isFullAddress(host) && ipaddr.parse(host).range() === 'loopback');

/** svc's pages link to addresses below the root, so svc cannot be served under a path. @throws Error */
function checkBaseUrl(address: string): void {
  const { origin, username, password, pathname, search, hash } = new URL(address);
  if (username !== '' || password !== '') throw new Error('must hold no user and password');
  if (/[^/]/.test(pathname) || search !== '' || hash !== '' || /[?#]$/.test(address))
    throw new Error(
      `must be only a scheme, host and port, such as ${origin}: svc cannot be served under a path. Give it its own host name`,
    );
  checkHttpAddress(address);
}

/** Parses a text that must pass `check`, so that a bad value is reported together with all other problems. */
const validText =
  (check: (text: string) => boolean, problem: string) =>
  (text: string): string => {
    if (!check(text)) throw new Error(problem);
    return text;
  };

function isRootKey(text: string): boolean {
  try {
    return parseRootKey(text).length > 0;
  } catch {
    return false;
  }
}

const readSecretKey = validText(isRootKey, 'must be 32 random bytes, as base64 or as 64 hexadecimal digits');

/** The name of a PEM file, whose content is the setting's value. */
const pemSetting = (declared: {
  variable: string;
  share: 'node';
  description: string;
  defaultText?: string;
}): Setting<string | undefined> => textSetting({ ...declared, defaultValue: undefined, read: readPem });

function readPem(path: string): string {
  const text = (() => {
    try {
      return readFileSync(path, 'utf8');
    } catch (error) {
      throw new Error(`names a file that cannot be read (${error instanceof Error ? error.message : String(error)})`);
    }
  })();
  if (!text.includes('-----BEGIN ')) throw new Error('must name a PEM file, which contains "-----BEGIN "');
  return text;
}

/** Why the replicas cannot be those of the database; undefined if they can. */
function readUrlProblem(databaseUrl: unknown, readUrl: unknown): string | undefined {
  if (typeof readUrl !== 'string') return undefined;
  if (typeof databaseUrl !== 'string')
    return 'SVC_DATABASE_READ_URL names replicas of the database in SVC_DATABASE_URL, which is not set. Set it, or remove SVC_DATABASE_READ_URL: the private server has no replicas.';
  const [primary, replicas] = [databaseAddress(databaseUrl), databaseAddress(readUrl)];
  if (primary.database !== replicas.database)
    return `SVC_DATABASE_READ_URL names the database ${replicas.database}, and SVC_DATABASE_URL the database ${primary.database}. A replica has the same name: correct one of them.`;
  if (placeOf(primary) === placeOf(replicas))
    return 'SVC_DATABASE_READ_URL names the same server as SVC_DATABASE_URL. Let it name the replicas, or remove it.';
  return undefined;
}

/** The settings of the deployment. Products declare additional ones. */
export const coreSettings = {
  host: textSetting({
    variable: 'SVC_HOST',
    share: 'node',
    description: 'Address to listen on. Beyond loopback it requires SVC_BASE_URL.',
    defaultValue: '127.0.0.1',
    conflict: ({ host, baseUrl }) =>
      baseUrl === undefined && !isLoopback(String(host))
        ? `SVC_HOST=${String(host)} listens beyond this machine, and SVC_BASE_URL is not set. Set SVC_BASE_URL to the address under which others reach svc, such as https://svc.example.com, or remove SVC_HOST.`
        : undefined,
  }),
  port: integerSetting({
    variable: 'SVC_PORT',
    share: 'node',
    description: 'Port to listen on.',
    defaultValue: 8080,
    minimum: 0,
    maximum: 65535,
    check: checkHttpPort,
  }),
  baseUrl: urlSetting({
    variable: 'SVC_BASE_URL',
    share: 'deployment',
    // Without the slash at its end, in lower case and without the scheme's own port.
    identity: (address) => (typeof address === 'string' ? new URL(address).origin : null),
    description:
      'Public address of this deployment, used in links. Production means that it is not a loopback address.',
    defaultValue: undefined,
    defaultText: 'http://SVC_HOST:SVC_PORT',
    protocols: ['http', 'https'],
    check: checkBaseUrl,
    recorded: true,
  }),
  stateDir: textSetting({
    variable: 'SVC_STATE_DIR',
    share: 'node',
    description: 'Folder for the private database, its secret key and first-run.json.',
    defaultValue: './var',
  }),
  databaseUrl: urlSetting({
    variable: 'SVC_DATABASE_URL',
    share: 'node',
    description:
      'MySQL 8.0.22+ or MariaDB 10.6+: mysql://user:password@host:3306/name, or mysql://user:password@localhost/name?socketPath=/run/mysqld/mysqld.sock for a server on the same machine. With several hosts, mysql://user:password@a:3306,b:3306,c:3306/name, svc finds the primary and follows it at a fail-over. If not set, svc runs a private server.',
    defaultValue: undefined,
    protocols: ['mysql', 'mariadb'],
    check: databaseAddress,
    severalHosts: true,
  }),
  databaseReadUrl: urlSetting({
    variable: 'SVC_DATABASE_READ_URL',
    share: 'node',
    description:
      'Replicas of SVC_DATABASE_URL, for reads whose answer may be some seconds old, such as statistics and the lists of the console. Written like SVC_DATABASE_URL; several hosts are several replicas.',
    defaultValue: undefined,
    defaultText: 'everything is read from the primary',
    protocols: ['mysql', 'mariadb'],
    check: databaseAddress,
    severalHosts: true,
    conflict: ({ databaseUrl, databaseReadUrl }) => readUrlProblem(databaseUrl, databaseReadUrl),
  }),
  databaseReadLagSeconds: integerSetting({
    variable: 'SVC_DATABASE_READ_LAG_SECONDS',
    share: 'node',
    description: 'How many seconds a replica of SVC_DATABASE_READ_URL may be behind; then the primary is read instead.',
    defaultValue: 10,
    minimum: 2,
    maximum: 600,
  }),
  databaseTls: choiceSetting({
    variable: 'SVC_DATABASE_TLS',
    share: 'node',
    description:
      'Encryption of the connections to SVC_DATABASE_URL and SVC_DATABASE_READ_URL: disabled; required (encrypted, but the server is not checked); verify-ca (its certificate is checked); verify (its certificate and its name are checked).',
    choices: ['disabled', 'required', 'verify-ca', 'verify'],
    defaultValue: 'disabled',
  }),
  databaseTlsCa: pemSetting({
    variable: 'SVC_DATABASE_TLS_CA',
    share: 'node',
    description: 'PEM file of the authorities that the database server’s certificate is checked against.',
    defaultText: 'the authorities that Node knows',
  }),
  databaseTlsCert: pemSetting({
    variable: 'SVC_DATABASE_TLS_CERT',
    share: 'node',
    description: 'PEM file of svc’s own certificate, if the database requires one.',
  }),
  databaseTlsKey: pemSetting({
    variable: 'SVC_DATABASE_TLS_KEY',
    share: 'node',
    description: 'PEM file of the private key of SVC_DATABASE_TLS_CERT.',
  }),
  databasePool: integerSetting({
    variable: 'SVC_DATABASE_POOL',
    share: 'node',
    description: 'Maximum number of database connections of each process.',
    defaultValue: undefined,
    defaultText: '20; with more than five processes, 100 divided among them, at least 4',
    minimum: 4,
    maximum: 500,
  }),
  shard: integerSetting({
    variable: 'SVC_SHARD',
    share: 'deployment',
    description:
      'Number of the shard that the database is, if accounts are spread over several databases (docs/scaling.md, Several shards at one address): ids, keys and links name it. The first start stores it in the database, and it cannot be changed.',
    defaultValue: firstShard,
    minimum: firstShard,
    maximum: lastShard,
    recorded: true,
  }),
  shards: listSetting({
    variable: 'SVC_SHARDS',
    share: 'deployment',
    // Each node may reach the others at addresses in its network.
    identity: (entries) =>
      Array.isArray(entries) && entries.length > 0
        ? [...shardAddresses(entries.map(String)).keys()].sort((a, b) => a - b).join(',')
        : null,
    description:
      'All shards behind SVC_BASE_URL, with the address at which nodes reach a node or an internal balancer of each: 1=http://10.0.0.1:8080,2=http://10.0.0.2:8080. Every node then takes the calls of all shards (docs/scaling.md, Several shards at one address).',
    defaultValue: [],
    defaultText: 'none: every call is for this shard',
    each: checkShard,
    conflict: ({ shard, shards, newAccountsShard, trustProxy }) =>
      shardsProblem({ shard, shards, newAccountsShard, trustProxy }),
  }),
  newAccountsShard: integerSetting({
    variable: 'SVC_NEW_ACCOUNTS_SHARD',
    share: 'any',
    description: 'The shard of SVC_SHARDS in which account.signup opens accounts.',
    defaultValue: undefined,
    defaultText: '1',
    minimum: firstShard,
    maximum: lastShard,
  }),
  secretKey: textSetting({
    variable: 'SVC_SECRET_KEY',
    share: 'deployment',
    // The database knows its key (core/platform/open-vault.ts).
    identity: () => null,
    description:
      'Key that encrypts secrets at rest: 32 random bytes in base64 (openssl rand -base64 32). Required with SVC_DATABASE_URL.',
    defaultValue: undefined,
    defaultText: 'created once in the state folder',
    read: readSecretKey,
  }),
  previousSecretKey: textSetting({
    variable: 'SVC_SECRET_KEY_PREVIOUS',
    share: 'node',
    description: 'The key before SVC_SECRET_KEY, while that is being changed (docs/operating.md, Changing secrets).',
    defaultValue: undefined,
    read: readSecretKey,
  }),
  products: listSetting({
    variable: 'SVC_PRODUCTS',
    share: 'deployment',
    description: 'Products to enable, separated by commas; account and developers are always on.',
    defaultValue: [],
    defaultText: 'all',
    // Empty would enable all of them, which is the opposite of what it looks like.
    emptyProblem: 'is empty: name products, or remove the variable to enable all',
    recorded: true,
  }),
  acceptChanges: textSetting({
    variable: 'SVC_ACCEPT_CHANGES',
    share: 'node',
    description:
      'For one start: the code that the refusal of a start printed whose settings differ from those of the deployment (docs/operating.md, Changing settings).',
    defaultValue: undefined,
    read: validText((text) => /^[0-9a-f]{12}$/.test(text), 'must be the 12 digits that the refusal of a start printed'),
  }),
  console: choiceSetting({
    variable: 'SVC_CONSOLE',
    share: 'any',
    description: 'Whether the console is served at /console: on or off.',
    choices: ['on', 'off'],
    defaultValue: 'on',
  }),
  signup: choiceSetting({
    variable: 'SVC_SIGNUP',
    share: 'any',
    description: 'Whether anyone may open an account with account.signup: closed or open.',
    choices: ['closed', 'open'],
    defaultValue: 'closed',
  }),
  ownerEmail: textSetting({
    variable: 'SVC_OWNER_EMAIL',
    share: 'any',
    description:
      'Email address of the first account’s owner, for the first start; later it only replaces the default. In production the first start requires it if email is enabled.',
    defaultValue: 'owner@mail.localhost',
    read: validText((text) => parseAddress(text).ok, 'must be one email address such as ada@example.com'),
  }),
  jobsUrl: textSetting({
    variable: 'SVC_JOBS_URL',
    share: 'deployment',
    identity: whetherSet,
    description: 'Where recurring jobs are stored: mongodb://… for MongoDB.',
    defaultValue: undefined,
    defaultText: 'in the database',
    read: validText((text) => /^mongodb(\+srv)?:\/\/[^/]/.test(text), 'must start with mongodb:// or mongodb+srv://'),
  }),
  outboundAllow: listSetting({
    variable: 'SVC_OUTBOUND_ALLOW',
    share: 'any',
    description: 'Private address ranges that webhooks and discovery may reach, such as 10.0.0.0/8.',
    defaultValue: [],
    defaultText: 'none',
    each: checkCidr,
  }),
  trustProxy: listSetting({
    variable: 'SVC_TRUST_PROXY',
    share: 'node',
    description: 'Addresses or ranges of proxies whose X-Forwarded-For header is trusted.',
    defaultValue: [],
    defaultText: 'none',
    each: checkProxy,
  }),
  role: choiceSetting({
    variable: 'SVC_ROLE',
    share: 'node',
    description: 'What this process does: answer calls (api), do background work (worker), or both (all).',
    choices: ['all', 'api', 'worker'],
    defaultValue: 'all',
  }),
  processes: textSetting({
    variable: 'SVC_PROCESSES',
    share: 'node',
    description:
      'How many processes share the port and the work on this machine: a number, or auto for one for each core, as far as the memory suffices (512 MiB each).',
    defaultValue: undefined,
    defaultText: '1; in production auto',
    read: validText((text) => /^(?:auto|[1-9]\d?)$/.test(text), 'must be auto or a number from 1 to 99'),
  }),
  environmentRequests: integerSetting({
    variable: 'SVC_ENVIRONMENT_REQUESTS',
    share: 'any',
    description: 'Requests a minute that all keys and sessions of one environment may make together, on all nodes.',
    defaultValue: undefined,
    defaultText: 'no limit',
    minimum: 1,
    maximum: 10_000_000,
  }),
  ...retentionSettings,
  broadcastRecipients: integerSetting({
    variable: 'SVC_BROADCAST_RECIPIENTS',
    share: 'any',
    description: 'Contacts that one broadcast may go to, at most.',
    defaultValue: 2_000_000,
    minimum: 1,
    maximum: 10_000_000,
  }),
  metricsToken: textSetting({
    variable: 'SVC_METRICS_TOKEN',
    share: 'node',
    description:
      'Bearer token for GET /metrics; 16 characters or more. In production /metrics is closed if it is not set.',
    defaultValue: undefined,
    read(text) {
      if (!/^[!-~]{16,}$/.test(text)) throw new Error('must have at least 16 characters, without spaces');
      return text;
    },
  }),
  stopDelaySeconds: integerSetting({
    variable: 'SVC_STOP_DELAY_SECONDS',
    share: 'node',
    description:
      'How long a stopping process keeps answering while GET /readyz returns 503, for load balancers that only poll it. A second signal ends the wait.',
    defaultValue: 0,
    minimum: 0,
    maximum: 300,
  }),
  logLevel: choiceSetting({
    variable: 'SVC_LOG_LEVEL',
    share: 'node',
    description: 'Lowest level that is logged: debug, info, warn, error or silent.',
    choices: ['debug', 'info', 'warn', 'error', 'silent'],
    defaultValue: 'info',
  }),
} as const;

/**
 * Whether the address is the setting's default, to which no mail can be delivered: the top-level domain localhost is
 * reserved (RFC 6761 §6.3).
 */
export const isDefaultOwner = (address: string): boolean =>
  mailboxKey(address) === coreSettings.ownerEmail.defaultValue;
