import { setTimeout as pause } from 'node:timers/promises';
import { parseJson } from '#core/runtime/json.js';
import { at } from '#test/support/json.js';
import type { Random } from '../support/workload.js';
import type { Entry, Journal } from './journal.js';
import type { Violations } from './violations.js';

/** How long a client waits for one answer before it repeats the call at another node. */
const answerWithinMs = 5_000;
/** How long a call may remain unanswered, repeats included: longer than a stopped node holds what it has begun. */
const acceptWithinMs = 120_000;

/** Codes that say that the outcome is not known yet, so that the call is to be repeated with its key. */
const openCodes = ['unavailable', 'idempotency_in_progress', 'rate_limited'] as const;

interface Answered {
  readonly accepted: boolean;
  /** The result of an accepted call, or the error of a refused one. */
  readonly result: unknown;
}

export interface Caller {
  readonly bearer: string;
  /**
   * Makes a write under a new key, and repeats it until its outcome is known.
   * @param label names the write; the key is made of it
   * @param refusals codes that are answers too; every other error is a violation
   * @throws Error if the outcome remains unknown
   */
  write(
    label: string,
    operation: string,
    input: Record<string, unknown>,
    refusals?: readonly string[],
  ): Promise<Answered>;
  /** Reads until there is an answer. */
  read(operation: string, input: Record<string, unknown>): Promise<unknown>;
}

export interface CallerOptions {
  readonly journal: Journal;
  readonly violations: Violations;
  /** The addresses of the nodes that answer calls; some of them may be dead. */
  readonly addresses: () => readonly string[];
  readonly random: Random;
  /** Told how long a call took until its outcome was known. */
  readonly onAnswer: (ms: number) => void;
  /** Told about each attempt that did not tell the outcome of its call. */
  readonly onOpen: (why: Open, address: string) => void;
  /** Headers of every call. */
  readonly headers?: () => Readonly<Record<string, string>>;
}

/** Why an attempt did not tell the outcome: the connection, the client's patience, or svc's answer. */
type Open = 'broken' | 'timed out' | 'unavailable' | 'idempotency_in_progress' | 'rate_limited';

interface Reply {
  readonly status: number;
  readonly text: string;
  readonly replayed: boolean;
}

async function post(
  address: string,
  bearer: string,
  operation: string,
  input: unknown,
  headers: Readonly<Record<string, string>>,
): Promise<Reply | 'broken' | 'timed out'> {
  try {
    const response = await fetch(`${address}/${operation.replaceAll('.', '/')}`, {
      method: 'POST',
      headers: {
        ...(bearer === '' ? {} : { Authorization: `Bearer ${bearer}` }),
        'Content-Type': 'application/json',
        ...headers,
      },
      body: JSON.stringify(input),
      signal: AbortSignal.timeout(answerWithinMs),
    });
    const replayed = response.headers.get('idempotent-replayed') === 'true';
    return { status: response.status, text: await response.text(), replayed };
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'timed out' : 'broken';
  }
}

const codeOf = (reply: Reply): unknown => at(parseJson(reply.text), 'error', 'code');
/** Why a reply does not tell the outcome; undefined if it does. */
function openReason(reply: Reply | 'broken' | 'timed out'): Open | undefined {
  if (typeof reply === 'string') return reply;
  const code = reply.status === 200 ? undefined : codeOf(reply);
  return openCodes.find((each) => each === code);
}

/** Repeats a call until its outcome is known. @returns undefined if it is not known in time */
async function settle(
  { addresses, random, onOpen, headers = () => ({}) }: CallerOptions,
  { bearer, operation, input }: Pick<Entry, 'bearer' | 'operation' | 'input'>,
  more: Readonly<Record<string, string>>,
  noteOpen: () => void,
): Promise<Reply | undefined> {
  const begun = Date.now();
  for (let attempt = 1; Date.now() - begun < acceptWithinMs; attempt += 1) {
    const address = oneOf(addresses(), random);
    const reply = await post(address, bearer, operation, input, { ...headers(), ...more });
    const why = openReason(reply);
    if (why === undefined && typeof reply !== 'string') return reply;
    onOpen(why ?? 'broken', address);
    noteOpen();
    await pause(Math.min(100 * attempt, 1_000));
  }
  return undefined;
}

const oneOf = (all: readonly string[], random: Random): string => all[Math.floor(random() * all.length)] ?? '';

/** A client with one key. It knows nothing about kills, and repeats what was not answered. */
export function createCaller(bearer: string, options: CallerOptions): Caller {
  const { journal, violations, addresses, random, onAnswer, headers = () => ({}) } = options;
  return {
    bearer,
    async write(label, operation, input, refusals = []) {
      const entry: Entry = { key: label, bearer, operation, input, begunAt: Date.now() };
      journal.begin(entry);
      const reply = await settleEntry(entry, options, refusals);
      onAnswer(Date.now() - entry.begunAt);
      // Some repeats are made although the outcome is known: the answer must not change.
      if (entry.wasOpen === true || random() < 0.1) {
        const again = await post(oneOf(addresses(), random), bearer, operation, input, {
          ...headers(),
          'Idempotency-Key': label,
        });
        compareRepeat(entry, again, violations);
      }
      const body = parseJson(reply);
      const accepted = entry.answer?.accepted === true;
      return { accepted, result: accepted ? at(body, 'result') : at(body, 'error') };
    },
    async read(operation, input) {
      const reply = await settle(options, { bearer, operation, input }, {}, () => undefined);
      if (reply?.status !== 200)
        throw new Error(`${operation} was not answered with 200: ${reply?.status ?? ''} ${reply?.text ?? ''}`);
      return at(parseJson(reply.text), 'result');
    },
  };
}

/**
 * Repeats a call of the journal until its outcome is known, and writes that down.
 * @param refusals codes that are answers too
 * @returns the answer
 * @throws Error if the outcome remains unknown, or if the call was refused with another code
 */
export async function settleEntry(
  entry: Entry,
  options: CallerOptions,
  refusals: readonly string[] = [],
): Promise<string> {
  const { key, operation } = entry;
  const { journal, violations } = options;
  const reply = await settle(options, entry, { 'Idempotency-Key': key }, () => (entry.wasOpen = true));
  if (reply === undefined) {
    violations.add('A call is answered', `${operation} ${key} was not answered within ${acceptWithinMs / 1000} s.`);
    throw new Error(`${operation} ${key} was not answered.`);
  }
  const accepted = reply.status === 200;
  const code = accepted ? '' : String(codeOf(reply));
  journal.answered(entry, accepted, reply.text);
  if (!accepted && !refusals.includes(code)) {
    violations.add(
      'No call fails because of a kill',
      `${operation} ${key} was answered ${reply.status}: ${reply.text}`,
    );
    throw new Error(`${operation} ${key} was answered ${reply.status}: ${reply.text}`);
  }
  return reply.text;
}

/** Compares the answer to a repeat with the first one. A repeat that a kill interrupts says nothing. */
export function compareRepeat(
  { key, operation, answer }: Entry,
  reply: Reply | 'broken' | 'timed out',
  violations: Violations,
): void {
  if (answer?.accepted !== true || typeof reply === 'string' || openReason(reply) !== undefined) return;
  if (reply.text !== answer.text)
    violations.add(
      'A repeat is answered byte for byte',
      `${operation} ${key}: ${answer.text}\nthen ${reply.status}: ${reply.text}`,
    );
  else if (!reply.replayed)
    violations.add(
      'A repeat is answered byte for byte',
      `${operation} ${key} was answered, but its repeat is not a replay.`,
    );
}

/** Repeats a call of the journal once. */
export const repeatEntry = (
  address: string,
  { bearer, operation, input, key }: Entry,
): Promise<Reply | 'broken' | 'timed out'> => post(address, bearer, operation, input, { 'Idempotency-Key': key });
