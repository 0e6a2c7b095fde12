import type { Caller } from '#core/kernel/caller/caller.js';
import type { PortContext } from '#core/kernel/context.js';
import type { EventData, EventName, NewEvent } from '#core/kernel/events/declare.js';
import type { Clock } from '#core/runtime/clock.js';
import type { Session } from '#core/runtime/database/session.js';
import type { Vault } from '#core/runtime/secrets/vault.js';

/** What a rule needs of the transaction that it runs in, be it a handler's, a port's or a worker's. */
export interface AudienceContext<Name extends EventName = never> {
  readonly db: Session;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly caller: Caller;
  readonly emit: <N extends Name>(name: N, news: NewEvent<EventData<N>>) => string;
}

/** The scene of a port or a worker, whose events go to the environment that its transaction acts in. */
export const audienceContext = <Name extends EventName>({
  db,
  clock,
  vault,
  caller,
  emitAny,
}: PortContext): AudienceContext<Name> => ({
  db,
  clock,
  vault,
  caller,
  emit: (name, news) => emitAny(name, news),
});
