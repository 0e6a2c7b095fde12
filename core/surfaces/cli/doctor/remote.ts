import { counted } from '#config/counted.js';
import { at, isRecord } from '#core/runtime/json.js';
import { callOperation, reach } from '../call.js';
import type { CliCatalogue } from '../command-catalogue.js';
import { configIsOpen, configPath } from '../session/config.js';
import { howToLogIn, targetFor, type Connection } from '../session/connection.js';
import { CliError, ApiError } from '../errors.js';
import { ok, problem, skipped, type Finding } from './finding.js';

/** Webhook signatures are valid for 300 s; a tenth of that is worth reporting. */
const maxSkewMs = 30_000;
const timeLimit = (): RequestInit => ({ signal: AbortSignal.timeout(5_000) });

/** Checks that work from any machine: health, readiness, clock and operations of the server. */
export async function checkServer({ baseUrl }: Connection, catalogue: CliCatalogue): Promise<Finding[]> {
  const sent = Date.now();
  const health = await reach(baseUrl, '/healthz', timeLimit()).catch((error: unknown) => messageOf(error));
  if (typeof health === 'string')
    return [
      problem('server', health, 'Start it with `npm start`, or pass another address with --base-url or `svc login`.'),
    ];
  if (health.status !== 200 || (await health.text()).trim() !== 'ok')
    return [
      problem(
        'server',
        `The server at ${baseUrl} is not an svc server (status ${health.status}).`,
        'Pass the right address with --base-url.',
      ),
    ];
  return [
    ok('server', `${baseUrl} answers.`),
    await readiness(baseUrl),
    clock(health.headers.get('Date'), sent),
    await offered(baseUrl, catalogue),
  ];
}

const messageOf = (error: unknown): string =>
  error instanceof CliError ? error.message : 'The server did not answer within 5 s.';

async function readiness(baseUrl: string): Promise<Finding> {
  const answer = await reach(baseUrl, '/readyz', timeLimit()).catch(() => undefined);
  if (answer?.status === 200) return ok('ready', 'The server is ready: its database answers.');
  const message = answer ? (await answer.text()).trim() : 'The server did not answer within 5 s.';
  return problem('ready', message, 'Read the server’s log, and run `svc doctor` on its machine to check the database.');
}

function clock(date: string | null, sent: number): Finding {
  const server = Date.parse(date ?? '');
  if (Number.isNaN(server)) return skipped('clock', 'The server’s answer has no Date header.');
  // The header has whole seconds; a time between sending and receiving is not a skew.
  const skew = server + 999 < sent ? sent - server : server > Date.now() ? server - Date.now() : 0;
  return skew < maxSkewMs
    ? ok('clock', 'The clocks of this machine and the server agree.')
    : problem(
        'clock',
        `This machine’s clock and the server’s differ by ${Math.round(skew / 1000)} s.`,
        'Synchronise both with NTP (timedatectl set-ntp true): signatures and tokens depend on the time.',
      );
}

async function offered(baseUrl: string, { operations }: CliCatalogue): Promise<Finding> {
  const answer = await reach(baseUrl, '/openapi.json', timeLimit()).catch(() => undefined);
  const description: unknown = await answer?.json().catch(() => undefined);
  const paths = at(description, 'paths');
  if (!isRecord(paths))
    return problem(
      'operations',
      'The server has no /openapi.json.',
      'A proxy in front of the server must forward every path.',
    );
  const offeredNames = Object.keys(paths).map((path) => path.slice(1).replaceAll('/', '.'));
  const unknown = offeredNames.filter((name) => !operations.some((operation) => operation.name === name));
  const message = `The server offers ${offeredNames.length} operations; this command line knows ${operations.length}.`;
  return unknown.length === 0
    ? ok('operations', message)
    : problem(
        'operations',
        `${message} It does not know ${unknown.slice(0, 5).join(', ')}${unknown.length > 5 ? ' …' : ''}.`,
        'Update this command line to the server’s version.',
      );
}

/** The keys, and whether others can read them. */
export async function checkKeys(connection: Connection): Promise<Finding[]> {
  const open = await configIsOpen();
  const { key, publishableKey } = connection.keys;
  return [
    ...(open
      ? [problem('key file', `Other users of this machine can read ${configPath()}.`, `chmod 600 ${configPath()}`)]
      : []),
    ...(connection.session ? [await checkSession(connection)] : []),
    ...((key ?? publishableKey ?? connection.session) === undefined
      ? [problem('key', 'No key is configured.', howToLogIn)]
      : []),
    ...(key === undefined ? [] : [await checkKey(connection, key, 'key')]),
    ...(publishableKey === undefined ? [] : [await checkKey(connection, publishableKey, 'publishable key')]),
  ];
}

async function checkKey({ baseUrl, keysFrom }: Connection, key: string, check: string): Promise<Finding> {
  try {
    const { result } = await callOperation(
      { baseUrl, key, keysFrom },
      'developers.key.current',
      {},
      { signal: AbortSignal.timeout(5_000) },
    );
    const permissions = result['permissions'];
    return ok(
      check,
      `The ${check} of ${keysFrom} is valid; it has ${counted(Array.isArray(permissions) ? permissions.length : 0, 'permission')}.`,
    );
  } catch (error) {
    if (error instanceof ApiError && error.code === 'secret_key_required')
      return ok(check, `The key of ${keysFrom} is a valid publishable key.`);
    if (error instanceof ApiError) return problem(check, error.message, error.fix);
    return skipped(check, 'The server could not be reached.');
  }
}

async function checkSession(connection: Connection): Promise<Finding> {
  const signal = AbortSignal.timeout(5_000);
  try {
    const { result } = await callOperation(targetFor(connection, 'secret'), 'developers.key.current', {}, { signal });
    const name = at(result, 'member', 'email');
    return ok('session', `${String(name)} is signed in and acts in ${connection.session?.environment?.name ?? ''}.`);
  } catch (error) {
    if (error instanceof ApiError || error instanceof CliError)
      return problem('session', error.message, error.fix ?? howToLogIn);
    return skipped('session', 'The server could not be reached.');
  }
}
