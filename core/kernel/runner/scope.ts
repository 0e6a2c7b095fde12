import type { Clock } from '#core/runtime/clock.js';
import type { Session } from '#core/runtime/database/session.js';
import type { Statement } from '#core/runtime/database/statement.js';
import { newId } from '#core/runtime/id.js';
import type { Vault } from '#core/runtime/secrets/vault.js';
import { activityStatement } from '../audit/activity.js';
import { isTenant, type Caller, type Environment } from '../caller/caller.js';
import type { AuditEntry, PortContext } from '../context.js';
import { makersOf, type ErrorCode, type ErrorMakers, type SvcError } from '../errors/errors.js';
import type { Deployment } from '../deployment.js';
import type { NewEvent } from '../events/declare.js';
import { eventQueue, eventStatement, type PendingEvent } from '../events/outbox.js';
import type { Port } from '../port.js';
import type { Registry } from '../registry.js';

export interface ScopeOptions {
  registry: Registry;
  clock: Clock;
  vault: Vault;
  db: Session;
  caller: Caller;
  deployment: Deployment;
  activityId: string;
  /** Whose needs bound what `use` may reach; undefined for the server itself. */
  product: string | undefined;
}

/** What one try of a transaction gathers: events, the audit note, queues to wake. A try that rolls back is forgotten whole. */
export interface Scope {
  readonly context: PortContext;
  readonly woken: ReadonlySet<string>;
  emit(name: string, news: NewEvent, environment?: Environment): string;
  note(note: AuditEntry): void;
  actIn(environment: Environment): void;
  /** The statements that end the transaction: the audit record, where one is due, and the events. */
  closing(audit: { operation: string; accountWide: boolean; summary: string } | undefined): Statement[];
}

/** Made once per registry: there are a hundred codes, and a context for every call and every port that it uses. */
const makers = new WeakMap<Registry, ErrorMakers<ErrorCode, SvcError>>();

function makersFor(registry: Registry): ErrorMakers<ErrorCode, SvcError> {
  const made = makers.get(registry) ?? makersOf<ErrorCode, SvcError>(registry.errors, (error) => error);
  makers.set(registry, made);
  return made;
}

export function openScope({
  registry,
  clock,
  vault,
  db,
  caller,
  deployment,
  activityId,
  product,
}: ScopeOptions): Scope {
  const events: PendingEvent[] = [];
  const woken = new Set<string>();
  let note: AuditEntry | undefined;
  let environment: Environment | undefined = isTenant(caller) ? caller.environment : undefined;

  const where = (): Environment => {
    if (!environment) throw new Error('This call acts in no environment: name it with actIn before it writes.');
    return environment;
  };
  const emit = (name: string, news: NewEvent, elsewhere?: Environment): string => {
    const declaration = registry.events.get(name);
    const id = newId();
    // News of a product that is off has nobody to hear it.
    if (declaration) {
      events.push({ id, name, declaration, news, environment: elsewhere ?? where() });
      woken.add(eventQueue);
    }
    return id;
  };

  /** A provider acts within its own product's needs, whoever asked it. */
  const contextFor = (owner: string | undefined): PortContext => ({
    db,
    clock,
    vault,
    caller,
    deployment,
    activityId,
    use: <T>(port: Port<T>): T => registry.provided(port, owner, contextFor),
    wake: (queue) => void woken.add(queue),
    emitAny: emit,
    failAny: makersFor(registry),
  });

  return {
    context: contextFor(product),
    woken,
    emit,
    note(given) {
      note = given;
    },
    actIn(given) {
      environment = given;
    },
    closing(audit) {
      const at = clock.now();
      const statements: Statement[] = [];
      if (audit) {
        const facts = {
          id: activityId,
          environment: where(),
          caller,
          operation: audit.operation,
          accountWide: audit.accountWide,
          at,
        };
        statements.push(activityStatement({ ...facts, note: note ?? { summary: audit.summary } }));
      }
      if (events.length > 0) statements.push(eventStatement(events, audit ? activityId : null, at));
      return statements;
    },
  };
}
