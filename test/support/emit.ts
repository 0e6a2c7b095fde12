import type { Environment } from '#core/kernel/caller/caller.js';
import type { FullContext } from '#core/kernel/context.js';
import type { NewEvent } from '#core/kernel/event.js';

/** Emits an event with any name and any data: the compiler allows products to emit only what they declare. */
export function emitAnything(
  { emit }: Pick<FullContext, 'emit'>,
  name: string,
  event: NewEvent,
  environment?: Environment,
): string {
  const id: unknown = Reflect.apply(emit, undefined, [name, event, environment]);
  return String(id);
}
