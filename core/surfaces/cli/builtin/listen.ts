import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { randomToken } from '#core/runtime/secrets/digest.js';
import { callOperation } from '../call.js';
import { painter } from '../colours.js';
import { parseBaseUrl, secretConnectionOf, type KeyedConnection } from '../connection.js';
import { ApiError } from '../errors.js';
import type { OwnOptions } from '../options.js';
import { oneLine } from '../sanitize.js';
import { forwardEvent } from './forward.js';

export interface ListenOptions extends OwnOptions {
  readonly forward: string | undefined;
  readonly types: readonly string[];
  readonly secret: string | undefined;
}

interface LoggedEvent {
  readonly id: string;
  readonly type: string;
  readonly createdAt: string;
}

/** Events do not commit in the order of their ids: each poll looks back this far and skips events it has seen. */
const lookBackMs = 60_000;
const pollMs = 1_000;

const isEvent = (value: unknown): value is LoggedEvent =>
  typeof value === 'object' &&
  value !== null &&
  ['id', 'type', 'createdAt'].every((name) => typeof Reflect.get(value, name) === 'string');

/** Prints and forwards events as they are written, until Ctrl-C. */
export async function listen(options: ListenOptions): Promise<void> {
  const connection = await secretConnectionOf(options);
  const forward = options.forward === undefined ? undefined : parseBaseUrl(options.forward);
  const secret = options.secret ?? `svc_wh_${randomToken(43)}`;
  const stop = new AbortController();
  const interrupted = (): void => stop.abort();
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  const { dim, yellow } = painter(process.stderr);
  const say = (line: string): boolean => process.stderr.write(`${line}\n`);
  const poller = pollerOf(connection, options.types);
  await poller.poll(stop.signal);
  say(
    `Listening for ${options.types.join(', ') || 'all events'} on ${connection.baseUrl}${forward === undefined ? '' : `, forwarding to ${forward}`}.`,
  );
  if (forward !== undefined) say(`Signing secret of this session: ${secret}`);
  say(dim('Press Ctrl-C to stop.'));
  const count = { events: 0 };
  while (!stop.signal.aborted) {
    await pause(pollMs, undefined, { signal: stop.signal }).catch(() => undefined);
    const events = await poller.poll(stop.signal).catch(async (error: unknown) => {
      if (stop.signal.aborted) return [];
      // Errors of the request or key are permanent; others may be temporary.
      if (error instanceof ApiError && [400, 401, 403, 404].includes(error.status)) throw error;
      say(yellow(error instanceof Error ? error.message : String(error)));
      await pause(4 * pollMs, undefined, { signal: stop.signal }).catch(() => undefined);
      return [];
    });
    for (const event of events) {
      count.events += 1;
      await show(event, forward, secret, options.json === true);
    }
  }
  say(`${count.events} ${count.events === 1 ? 'event' : 'events'}.`);
}

async function show(event: LoggedEvent, forward: string | undefined, secret: string, json: boolean): Promise<void> {
  const { dim, green, red } = painter(process.stdout);
  const delivery =
    forward === undefined
      ? undefined
      : await forwardEvent(forward, secret, {
          eventId: event.id,
          deliveryId: randomUUID(),
          body: JSON.stringify(event),
        });
  if (json) {
    process.stdout.write(`${JSON.stringify(delivery ? { event, delivery } : { event })}\n`);
    return;
  }
  const good = delivery?.status !== undefined && delivery.status < 300;
  const outcome = delivery
    ? `  → ${(good ? green : red)(delivery.status === undefined ? `no answer: ${delivery.error ?? ''}` : String(delivery.status))} in ${delivery.ms} ms`
    : '';
  process.stdout.write(`${dim(event.createdAt.slice(11, 19))}  ${oneLine(event.type)}  ${dim(event.id)}${outcome}\n`);
  if (delivery && !good && delivery.text) process.stdout.write(`    ${dim(oneLine(delivery.text.slice(0, 300)))}\n`);
}

/** Polls for new events. The first poll only records the existing ones. It compares event times with each other, never with this machine's clock. */
function pollerOf(
  connection: KeyedConnection,
  types: readonly string[],
): { poll(signal: AbortSignal): Promise<LoggedEvent[]> } {
  const seen = new Map<string, number>();
  const state: { newest?: number } = {};
  const list = async (input: object, signal: AbortSignal): Promise<{ events: LoggedEvent[]; next: unknown }> => {
    const filter = types.length > 0 ? { ...input, types } : input;
    const { result } = await callOperation(connection, 'developers.event.list', filter, { signal });
    const { events, nextBefore } = result;
    return { events: Array.isArray(events) ? events.filter(isEvent) : [], next: nextBefore };
  };
  const unseen = async (signal: AbortSignal): Promise<LoggedEvent[]> => {
    const since = state.newest === undefined ? {} : { since: new Date(state.newest - lookBackMs).toISOString() };
    const found: LoggedEvent[] = [];
    for (let before = {}; ;) {
      const { events, next } = await list({ ...since, ...before, limit: 100 }, signal);
      found.push(...events.filter(({ id }) => !seen.has(id)));
      if (typeof next !== 'string') return found.reverse();
      before = { before: next };
    }
  };
  const remember = (events: readonly LoggedEvent[]): void => {
    for (const { id, createdAt } of events) {
      seen.set(id, Date.parse(createdAt));
      state.newest = Math.max(state.newest ?? 0, Date.parse(createdAt));
    }
    for (const [id, at] of seen) if (at < (state.newest ?? 0) - 2 * lookBackMs) seen.delete(id);
  };
  const first = { done: false };
  return {
    async poll(signal) {
      if (!first.done) {
        remember((await list({ limit: 1 }, signal)).events);
        remember(await unseen(signal));
        first.done = true;
        return [];
      }
      const events = await unseen(signal);
      remember(events);
      return events;
    },
  };
}
