import { at, listAt } from '#core/runtime/json.js';
import type { Environment } from '../caller/caller.js';
import type { EventDeclaration } from '../event.js';

/** What GET /metrics tells apart: the labels of a count. */
interface CountedEvent {
  readonly type: string;
  /** Of its environment. */
  readonly kind: Environment['kind'];
  /** The value of the field that the event's declaration counts by; empty if it declares none. */
  readonly detail: string;
}

/** Events that a transaction wrote. */
export interface WrittenEvents {
  readonly name: string;
  readonly declaration: Pick<EventDeclaration, 'countedBy'>;
  readonly environment: Pick<Environment, 'kind'>;
  readonly data?: unknown;
  readonly count: number;
}

/** How many events of each kind this process has committed since its start. */
export interface EventCounts {
  /** Call it after COMMIT. */
  add(events: Iterable<WrittenEvents>): void;
  all(): Iterable<readonly [CountedEvent, number]>;
}

/**
 * Counts from 0: a series that began with its first event would hide that event from Prometheus's increase().
 * @param declared the events that can occur; each has a series per kind of environment and known detail
 */
export function createEventCounts(
  declared: ReadonlyMap<string, Pick<EventDeclaration, 'countedBy' | 'data'>>,
): EventCounts {
  const counts = new Map<string, [CountedEvent, number]>();
  for (const [type, { countedBy, data }] of declared)
    for (const kind of ['live', 'test'] as const)
      for (const detail of countedBy === undefined ? [''] : textsAt(data, countedBy))
        counts.set(`${type} ${kind} ${detail}`, [{ type, kind, detail }, 0]);
  return {
    add(events) {
      for (const { name, declaration, environment, data, count } of events) {
        const detail = declaration.countedBy === undefined ? '' : textAt(data, declaration.countedBy);
        const key = `${name} ${environment.kind} ${detail}`;
        const known = counts.get(key);
        if (known) known[1] += count;
        else counts.set(key, [{ type: name, kind: environment.kind, detail }, count]);
      }
    },
    all: () => counts.values(),
  };
}

/** @returns the texts that a schema's enum allows at a path of fields, also of an object that may be null */
function textsAt(schema: unknown, path: string): string[] {
  const field = path
    .split('.')
    .reduce<unknown>(
      (part, name) => [part, ...listAt(part, 'anyOf')].map((form) => at(form, 'properties', name)).find(Boolean),
      schema,
    );
  return listAt(field, 'enum').filter((value) => typeof value === 'string');
}

/** @returns the text at a path of fields; empty if there is none */
function textAt(data: unknown, path: string): string {
  const value = path
    .split('.')
    .reduce<unknown>((at, field) => (typeof at === 'object' && at !== null ? Reflect.get(at, field) : undefined), data);
  return typeof value === 'string' ? value : '';
}
