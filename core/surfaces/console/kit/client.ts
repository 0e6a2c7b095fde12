import { signal } from '@preact/signals';
import { createCaller, type Caller } from '../../sdk/call.js';
import { isSvcError } from '../../sdk/errors.js';
import type { InputOf, ResultOf } from '../../sdk/client.js';
import type { OperationName } from '../../sdk/operations.gen.js';
import type { Envelope, Fetch, OperationFacts } from '../../sdk/types.js';
import type { ConsoleSession } from '../shared.js';
import { maxAgeOf, noteWrite } from './answer-age.js';
import { askServer } from './reach.js';
import { acting, catalogue, operationNamed, type Row } from './state.js';

/*
 * All calls of the console. The access token stays in memory; if the server refuses it, POST /console/session makes a
 * new one from the browser's HttpOnly cookie. A secret key, if auth is disabled, stays in this tab.
 */

const keyName = 'svc.key';

const tokens: { access: string | undefined; renewal: Promise<boolean> | undefined } = {
  access: undefined,
  renewal: undefined,
};

/** Who this tab shows and acts as; undefined with a key. */
export const signedIn = signal<{ readonly id: string; readonly email: string | null } | undefined>(undefined);

/** Where people change how they sign in; undefined with a key. */
export const accountUrl = signal<string | undefined>(undefined);

const returnName = 'svc.return';

/** Keeps the screen for the time after a sign-in. It stays in the tab. */
export const keepScreen = (): void => sessionStorage.setItem(returnName, location.pathname + location.search);

/** The screen that was kept, once. */
export function keptScreen(): string | undefined {
  const address = sessionStorage.getItem(returnName);
  sessionStorage.removeItem(returnName);
  return address?.startsWith('/console/') ? address : undefined;
}

/** Where people sign in again for an operation that needs it; undefined with a key. */
export const signInAgainUrl = signal<string | undefined>(undefined);

/** The sign-in page; set when the session has ended, and the console then shows a way back in. */
export const signInUrl = signal<string | undefined>(undefined);

/** The secret key of this tab; undefined with a dashboard session. */
export const tabKey = (): string | undefined => sessionStorage.getItem(keyName) ?? undefined;

export function keepKey(key: string | undefined): void {
  if (key === undefined) sessionStorage.removeItem(keyName);
  else sessionStorage.setItem(keyName, key);
}

const isSession = (value: unknown): value is ConsoleSession =>
  typeof value === 'object' && value !== null && ('signInUrl' in value || 'accountUrl' in value);

const askSession = (fields: Readonly<Record<string, string>>): Promise<ConsoleSession> =>
  askServer('/console/session', isSession, { method: 'POST', body: new URLSearchParams(fields) });

function use(session: ConsoleSession): void {
  tokens.access = session.accessToken ?? undefined;
  if (session.accessToken === null) signInUrl.value = session.signInUrl;
  else {
    signedIn.value = session.user;
    accountUrl.value = session.accountUrl;
    signInAgainUrl.value = session.signInAgainUrl;
    signInUrl.value = undefined;
  }
}

/** Opens the browser's dashboard session, at the start of the app. */
export async function openSession(): Promise<ConsoleSession> {
  const session = await askSession({});
  use(session);
  return session;
}

/** Ends the session, or forgets the key. */
export async function signOut(): Promise<void> {
  keepKey(undefined);
  if (catalogue.value?.signIn === 'session') use(await askSession({ do: 'sign-out' }));
}

/**
 * Calls that are refused at the same time share one renewal.
 * @returns whether the refused calls can be sent again
 */
function renew(): Promise<boolean> {
  tokens.renewal ??= renewOnce().finally(() => {
    tokens.renewal = undefined;
  });
  return tokens.renewal;
}

/** Goes on with the session that the person may have opened in another tab. */
export const followOtherTab = (): Promise<boolean> => renew().catch(() => false);

async function renewOnce(): Promise<boolean> {
  const session = await askSession({ renew: 'true' });
  const isOther = session.accessToken !== null && signedIn.value !== undefined && session.user.id !== signedIn.value.id;
  if (isOther) {
    // Somebody else signed in in another tab. What the first person began must not be sent in the name of the second.
    location.reload();
    return false;
  }
  use(session);
  return session.accessToken !== null;
}

/** A key that a form was given for one operation, such as a publishable one. */
interface CallWith {
  readonly key?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** Null for a call that names no environment. */
  readonly environmentId?: string | null;
  readonly signal?: AbortSignal;
}

const bearer = (given: string | undefined): string | undefined => given ?? tabKey() ?? tokens.access;

const fetchAs =
  (key: string | undefined): Fetch =>
  async (url, init) => {
    const send = (): Promise<Response> => {
      const token = bearer(key);
      return fetch(url, {
        ...init,
        headers: { ...init.headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) },
      });
    };
    // The old token may be good enough for the server, and not for the call: it states the former sign-in.
    if (key === undefined) await tokens.renewal?.catch(() => false);
    const answer = await send();
    if (answer.status !== 401 || key !== undefined || tabKey() !== undefined) return answer;
    return (await renew()) ? send() : answer;
  };

const factsOf = (): Record<string, OperationFacts> =>
  Object.fromEntries(
    (catalogue.value?.operations ?? []).map(({ name, read, retrySafe }) => [
      name,
      { ...(read ? { read } : {}), ...(retrySafe ? { retrySafe } : {}) },
    ]),
  );

const callers = new Map<string | undefined, Caller>();

function callerFor(key: string | undefined): Caller {
  const known = callers.get(key);
  if (known) return known;
  const made = createCaller({ baseUrl: location.origin, fetch: fetchAs(key) }, factsOf());
  callers.set(key, made);
  return made;
}

/** A call that the screen has made, for the drawer. */
export interface MadeCall {
  readonly operation: string;
  readonly input: Row;
  readonly ms: number;
  /** The code of its refusal; absent if it succeeded. */
  readonly code?: string;
}

const mostCalls = 30;
/** The calls of the screen, newest first. */
export const madeCalls = signal<readonly MadeCall[]>([]);

const longText = 2_000;
/** Long texts, such as the file of an import, are cut: they would fill the drawer. */
const shortened = (input: object): Row =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'string' && value.length > longText ? `${value.slice(0, longText)}…` : value,
    ]),
  );

function record(call: MadeCall): void {
  const isSame = (each: MadeCall): boolean =>
    each.operation === call.operation && JSON.stringify(each.input) === JSON.stringify(call.input);
  madeCalls.value = [call, ...madeCalls.value.filter((each) => !isSame(each))].slice(0, mostCalls);
}

/**
 * Calls an operation in the environment on screen.
 * @throws SvcError with code, message and `fix`; connection_failed if no answer came after retries
 */
export function call<N extends OperationName>(
  name: N,
  input: InputOf<N>,
  with_?: CallWith,
): Promise<Envelope<ResultOf<N>>>;
export function call(name: string, input: Row, with_?: CallWith): Promise<Envelope<Row>>;
export async function call(name: string, input: object, with_: CallWith = {}): Promise<Envelope<unknown>> {
  const environmentId = with_.environmentId === undefined ? acting.value?.environmentId : with_.environmentId;
  const needsEnvironment = tabKey() === undefined && with_.key === undefined && typeof environmentId === 'string';
  const began = performance.now();
  const made = (code?: string): void =>
    record({
      operation: name,
      input: shortened(input),
      ms: Math.round(performance.now() - began),
      ...(code ? { code } : {}),
    });
  const isWrite = operationNamed(name)?.read !== true;
  if (isWrite) noteWrite();
  try {
    const envelope = await callerFor(with_.key)(name, input, {
      ...(needsEnvironment ? { environmentId } : {}),
      maxAgeSeconds: maxAgeOf(name),
      ...(with_.idempotencyKey === undefined ? {} : { idempotencyKey: with_.idempotencyKey }),
      ...(with_.signal === undefined ? {} : { signal: with_.signal }),
    });
    made();
    return envelope;
  } catch (error) {
    if (isSvcError(error)) made(error.code);
    throw error;
  } finally {
    if (isWrite) noteWrite();
  }
}
