import { at, isRecord } from '#core/surfaces/record.js';
import { callOperation, reach } from '../call.js';
import type { CliCatalogue } from '../catalogue.js';
import { configIsOpen, configPath } from '../config.js';
import { howToLogIn, type Connection } from '../connection.js';
import { CliError, Refused } from '../errors.js';
import { ok, problem, skipped, type Finding } from './finding.js';

/** Webhook signatures are good for 300 s; a tenth of that is a clock worth mending. */
const skewMs = 30_000;
const patience = (): RequestInit => ({ signal: AbortSignal.timeout(5_000) });

/** What can be seen of a server from anywhere: its health, its clock, what it offers. */
export async function checkServer({ baseUrl }: Connection, catalogue: CliCatalogue): Promise<Finding[]> {
  const sent = Date.now();
  const health = await reach(baseUrl, '/healthz', patience()).catch((error: unknown) => wordsOf(error));
  if (typeof health === 'string')
    return [problem('server', health, 'Start it with `npm start`, or name another with --base-url or `svc login`.')];
  if (health.status !== 200 || (await health.text()).trim() !== 'ok')
    return [
      problem(
        'server',
        `What answers at ${baseUrl} is no svc (status ${health.status}).`,
        'Name the server with --base-url.',
      ),
    ];
  return [
    ok('server', `${baseUrl} answers.`),
    await readiness(baseUrl),
    clock(health.headers.get('Date'), sent),
    await offered(baseUrl, catalogue),
  ];
}

const wordsOf = (error: unknown): string =>
  error instanceof CliError ? error.message : 'The server does not answer within 5 s.';

async function readiness(baseUrl: string): Promise<Finding> {
  const answer = await reach(baseUrl, '/readyz', patience()).catch(() => undefined);
  if (answer?.status === 200) return ok('ready', 'The server can serve: its database answers.');
  const words = answer ? (await answer.text()).trim() : 'It does not answer within 5 s.';
  return problem('ready', words, 'Look at the server’s log, and run `svc doctor` on its machine for the database.');
}

function clock(date: string | null, sent: number): Finding {
  const server = Date.parse(date ?? '');
  if (Number.isNaN(server)) return skipped('clock', 'The server does not say what time it has.');
  // The header has whole seconds: what lies between sending and receiving is no skew.
  const skew = server + 999 < sent ? sent - server : server > Date.now() ? server - Date.now() : 0;
  return skew < skewMs
    ? ok('clock', 'This machine and the server agree on the time.')
    : problem(
        'clock',
        `This machine’s clock and the server’s differ by ${Math.round(skew / 1000)} s.`,
        'Keep both on time with NTP (timedatectl set-ntp true): signatures and tokens are judged by it.',
      );
}

async function offered(baseUrl: string, { operations }: CliCatalogue): Promise<Finding> {
  const answer = await reach(baseUrl, '/openapi.json', patience()).catch(() => undefined);
  const description: unknown = await answer?.json().catch(() => undefined);
  const paths = at(description, 'paths');
  if (!isRecord(paths))
    return problem(
      'operations',
      'The server has no /openapi.json.',
      'Is a proxy in between? It must pass every path on.',
    );
  const there = Object.keys(paths).map((path) => path.slice(1).replaceAll('/', '.'));
  const unknown = there.filter((name) => !operations.some((operation) => operation.name === name));
  const words = `The server offers ${there.length} operations; this command line knows ${operations.length}.`;
  return unknown.length === 0
    ? ok('operations', words)
    : problem(
        'operations',
        `${words} It does not know ${unknown.slice(0, 5).join(', ')}${unknown.length > 5 ? ' …' : ''}.`,
        'Update this command line to the server’s version.',
      );
}

/** The keys, and whether others can read them. */
export async function checkKeys(connection: Connection): Promise<Finding[]> {
  const open = await configIsOpen();
  const { key, publishableKey } = connection.keys;
  return [
    ...(open
      ? [problem('key file', `Others on this machine can read ${configPath()}.`, `chmod 600 ${configPath()}`)]
      : []),
    ...(key === undefined && publishableKey === undefined
      ? [problem('key', 'There is no key to call with.', howToLogIn)]
      : []),
    ...(key === undefined ? [] : [await checkKey(connection, key, 'key')]),
    ...(publishableKey === undefined ? [] : [await checkKey(connection, publishableKey, 'publishable key')]),
  ];
}

async function checkKey({ baseUrl, keysFrom }: Connection, key: string, what: string): Promise<Finding> {
  try {
    const { result } = await callOperation(
      { baseUrl, key, keysFrom },
      'developers.key.current',
      {},
      { signal: AbortSignal.timeout(5_000) },
    );
    const permissions = result['permissions'];
    return ok(
      what,
      `The ${what} of ${keysFrom} is valid; it holds ${Array.isArray(permissions) ? permissions.length : 0} permissions.`,
    );
  } catch (error) {
    if (error instanceof Refused && error.code === 'secret_key_required')
      return ok(what, `The key of ${keysFrom} is a valid publishable key.`);
    if (error instanceof Refused) return problem(what, error.message, error.fix);
    return skipped(what, 'The server cannot be asked.');
  }
}
