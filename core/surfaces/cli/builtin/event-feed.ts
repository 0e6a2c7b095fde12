import type { CallTarget } from '../call.js';
import type { ApiError } from '../errors.js';
import { patientCall } from '../patient-call.js';

export interface LoggedEvent {
  readonly id: string;
  readonly type: string;
  readonly createdAt: string;
}

interface EventFeed {
  /** Returns the events since the last poll, oldest first; the first poll returns none. @throws ApiError, CliError */
  poll(signal: AbortSignal): Promise<LoggedEvent[]>;
}

interface FeedOptions {
  readonly types: readonly string[];
  /** Called before a wait that the server requested. */
  readonly onWait: (error: ApiError, seconds: number) => void;
}

/** Enough for most polls: a poll reads whole pages, with every payload. */
const firstPage = 10;
const furtherPage = 100;
const isEvent = (value: unknown): value is LoggedEvent =>
  typeof value === 'object' &&
  value !== null &&
  ['id', 'type', 'createdAt'].every((name) => typeof Reflect.get(value, name) === 'string');

/**
 * Follows the environment's event log. An event is never listed after one that was listed before, so each poll reads
 * down to the first event that the last one saw. Neither this machine's clock nor the events' times matter.
 */
export function followEvents(connection: CallTarget, { types, onWait }: FeedOptions): EventFeed {
  const filter = types.length > 0 ? { types } : {};
  const state: { seen?: ReadonlySet<string> } = {};

  const list = async (input: object, signal: AbortSignal): Promise<{ events: LoggedEvent[]; next: unknown }> => {
    // A page that was temporarily refused is requested again, so that a long walk does not start over.
    const { result } = await patientCall(
      connection,
      'developers.event.list',
      { ...filter, ...input },
      { signal, onWait },
    );
    const { events, nextBefore } = result;
    return { events: Array.isArray(events) ? events.filter(isEvent) : [], next: nextBefore };
  };

  return {
    async poll(signal) {
      const { seen } = state;
      if (seen === undefined) {
        state.seen = idsOf((await list({ limit: firstPage }, signal)).events);
        return [];
      }
      const found: LoggedEvent[] = [];
      for (let page = await list({ limit: firstPage }, signal); ;) {
        const known = page.events.findIndex(({ id }) => seen.has(id));
        found.push(...page.events.slice(0, known === -1 ? undefined : known));
        if (known !== -1 || typeof page.next !== 'string') break;
        page = await list({ limit: furtherPage, before: page.next }, signal);
      }
      if (found.length > 0) state.seen = idsOf(found.slice(0, firstPage));
      return found.reverse();
    },
  };
}

const idsOf = (events: readonly LoggedEvent[]): ReadonlySet<string> => new Set(events.map(({ id }) => id));
