import type { Environment } from '#core/kernel/caller/caller.js';
import type { FullContext } from '#core/kernel/context.js';
import type { NewEvent } from '#core/kernel/event.js';

/** Emits an event by any name and with any data: the compiler lets products emit only what they declare. */
export function emitAnything(
  { emit }: Pick<FullContext, 'emit'>,
  name: string,
  event: NewEvent,
  environment?: Environment,
): string {
  const id: unknown = Reflect.apply(emit, undefined, [name, event, environment]);
  return String(id);
}
