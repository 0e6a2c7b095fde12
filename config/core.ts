import ipaddr from 'ipaddr.js';
import { parseAddress } from '#core/kernel/schema/email-address.js';
import { parseRootKey } from '#core/runtime/secrets/root-key.js';
import { choiceSetting, integerSetting, listSetting, textSetting, urlSetting } from './declare.js';

function checkCidr(item: string): void {
  if (!ipaddr.isValidCIDR(item)) throw new Error(`must be a list of ranges such as 10.0.0.0/8, and "${item}" is none`);
}

/** One address is a range of its own. */
function checkProxy(item: string): void {
  if (!ipaddr.isValidCIDR(item) && !isWholeAddress(item))
    throw new Error(`must be a list of addresses and ranges such as 10.0.0.0/8, and "${item}" is none`);
}

/** ipaddr.js takes 10.1 for 10.0.0.1 too. */
const isWholeAddress = (item: string): boolean => ipaddr.IPv4.isValidFourPartDecimal(item) || ipaddr.IPv6.isValid(item);

/** Refused here, beside whatever else is wrong, and not by the first part of svc that meets it. */
const checked =
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

/** The settings of the deployment itself; each product declares its own beside these. */
export const coreSettings = {
  host: textSetting({ variable: 'SVC_HOST', words: 'Address to listen on.', fallback: '127.0.0.1' }),
  port: integerSetting({
    variable: 'SVC_PORT',
    words: 'Port to listen on.',
    fallback: 8080,
    minimum: 0,
    maximum: 65535,
  }),
  baseUrl: urlSetting({
    variable: 'SVC_BASE_URL',
    words: 'Public address of this deployment, as it stands in links. Production means that it is not loopback.',
    fallback: undefined,
    fallbackWords: 'http://SVC_HOST:SVC_PORT',
    protocols: ['http', 'https'],
  }),
  stateDir: textSetting({
    variable: 'SVC_STATE_DIR',
    words: 'Folder for the private database, its secret and first-run.json.',
    fallback: './var',
  }),
  databaseUrl: urlSetting({
    variable: 'SVC_DATABASE_URL',
    words:
      'MySQL 8.0.19+ or MariaDB 10.6+: mysql://user:password@host:3306/name. Without it svc runs a private server of its own.',
    fallback: undefined,
    protocols: ['mysql', 'mariadb'],
  }),
  databasePool: integerSetting({
    variable: 'SVC_DATABASE_POOL',
    words: 'Connections to the database, at most.',
    fallback: 20,
    minimum: 4,
    maximum: 500,
  }),
  secretKey: textSetting({
    variable: 'SVC_SECRET_KEY',
    words:
      'Key for secrets at rest: 32 random bytes in base64 (openssl rand -base64 32). Required with SVC_DATABASE_URL.',
    fallback: undefined,
    fallbackWords: 'made once in the state folder',
    read: checked(isRootKey, 'must be 32 random bytes, as base64 or as 64 hexadecimal digits'),
  }),
  products: listSetting({
    variable: 'SVC_PRODUCTS',
    words: 'Products to enable; account and developers are always on.',
    fallback: [],
    fallbackWords: 'all',
  }),
  signup: choiceSetting({
    variable: 'SVC_SIGNUP',
    words: 'May anyone open an account with account.signup?',
    choices: ['closed', 'open'],
    fallback: 'closed',
  }),
  ownerEmail: textSetting({
    variable: 'SVC_OWNER_EMAIL',
    words: 'Address of the first account’s owner.',
    fallback: 'owner@mail.localhost',
    read: checked((text) => parseAddress(text).ok, 'must be one email address such as ada@example.com'),
  }),
  jobsUrl: textSetting({
    variable: 'SVC_JOBS_URL',
    words: 'mongodb://… keeps recurring jobs in MongoDB.',
    fallback: undefined,
    fallbackWords: 'in the database',
    read: checked((text) => /^mongodb(\+srv)?:\/\/[^/]/.test(text), 'must start with mongodb:// or mongodb+srv://'),
  }),
  outboundAllow: listSetting({
    variable: 'SVC_OUTBOUND_ALLOW',
    words: 'Private address ranges that webhooks and discovery may reach, such as 10.0.0.0/8.',
    fallback: [],
    fallbackWords: 'none',
    each: checkCidr,
  }),
  trustProxy: listSetting({
    variable: 'SVC_TRUST_PROXY',
    words: 'Addresses or address ranges of proxies whose X-Forwarded-For is believed.',
    fallback: [],
    fallbackWords: 'none',
    each: checkProxy,
  }),
  role: choiceSetting({
    variable: 'SVC_ROLE',
    words: 'What this process does: answer calls, work behind them, or both.',
    choices: ['all', 'api', 'worker'],
    fallback: 'all',
  }),
  eventRetentionDays: integerSetting({
    variable: 'SVC_EVENT_RETENTION_DAYS',
    words: 'Days that events are kept.',
    fallback: 90,
    minimum: 1,
    maximum: 3650,
  }),
  metricsToken: textSetting({
    variable: 'SVC_METRICS_TOKEN',
    words: 'Bearer token that GET /metrics wants; in production the page is closed without it.',
    fallback: undefined,
  }),
  logLevel: choiceSetting({
    variable: 'SVC_LOG_LEVEL',
    words: 'Least level that is logged.',
    choices: ['debug', 'info', 'warn', 'error', 'silent'],
    fallback: 'info',
  }),
} as const;
