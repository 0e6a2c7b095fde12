import type { Clock } from '#core/runtime/clock.js';
import { readOnly } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import type { Statement } from '#core/runtime/database/statement.js';
import { newId } from '#core/runtime/id.js';
import type { Vault } from '#core/runtime/secrets/vault.js';
import { activityStatement } from '../audit/activity.js';
import { isTenant, type Caller, type Environment } from '../caller/caller.js';
import type { AuditEntry, FullContext, OwnAuditEntry } from '../context.js';
import { makersOf, type ErrorCode, type ErrorMakers, type Refusal, type SvcError } from '../errors/errors.js';
import type { Deployment } from '../deployment.js';
import type { EventConsumer } from '../events/consumer.js';
import type { NewEvent, SelectedEvents } from '../event.js';
import { batchQueue } from '../events/batch.js';
import type { WrittenEvents } from '../events/counts.js';
import { eventQueue, eventStatement, type PendingEvent } from '../events/outbox.js';
import { assignPositions, bulkEvents } from '../events/positions.js';
import { insertSelectedEvents } from '../events/select.js';
import type { Port } from '../port.js';
import type { Registry } from '../registry/registry.js';

interface ScopeOptions {
  registry: Registry;
  clock: Clock;
  vault: Vault;
  db: Session;
  caller: Caller;
  deployment: Deployment;
  activityId: string;
  /** The product whose needs limit the ports that `use` can reach; undefined for the server itself. */
  product: string | undefined;
  /** Writing is not allowed, because no transaction would commit it. */
  readOnly?: boolean;
}

/**
 * What one attempt of a transaction collects: events, audit entry, queues to wake. If the attempt rolls back, all of it
 * is dropped.
 */
export interface Scope {
  readonly context: FullContext;
  readonly woken: ReadonlySet<string>;
  /** The events that the transaction writes, to be counted after COMMIT. */
  written(): Iterable<WrittenEvents>;
  /** The last entry given to `audit`. */
  entry(): AuditEntry | undefined;
  /**
   * Assigns the positions of the events if there are many of them. The last step of a transaction before its closing
   * statements.
   */
  assignPositions(): Promise<void>;
  /** The statements that end the transaction: the audit records, if required, and the events. */
  closing(audit: { operation: string; accountWide: boolean; summary: string } | undefined): Statement[];
}

interface Makers {
  fail: ErrorMakers<ErrorCode, SvcError>;
  refuse: ErrorMakers<ErrorCode, Refusal>;
}

/** Created once per registry: there are a hundred codes, and a context for every call and every port that it uses. */
const makers = new WeakMap<Registry, Makers>();

function makersFor(registry: Registry): Makers {
  const made = makers.get(registry) ?? {
    fail: makersOf<ErrorCode, SvcError>(registry.errors, (error) => error),
    refuse: makersOf<ErrorCode, Refusal>(registry.errors, (refusal) => ({ refusal })),
  };
  makers.set(registry, made);
  return made;
}

const refuseWrites = (): never => {
  throw new Error('This code runs outside a transaction and may only read.');
};

const reading = (db: Session): Pick<FullContext, 'db' | 'emit' | 'emitSelected' | 'wake' | 'audit' | 'auditOwn'> => ({
  db: readOnly(db),
  emit: refuseWrites,
  emitSelected: refuseWrites,
  wake: refuseWrites,
  audit: refuseWrites,
  auditOwn: refuseWrites,
});

/** svc as the actor of what it does by itself, in the work or the call that is the cause. */
const itself = (caller: Caller): Caller => ({
  kind: 'system',
  label: caller.kind === 'system' ? caller.label : 'svc',
  request: { ...caller.request, ip: '', userAgent: null },
});

export function openScope(options: ScopeOptions): Scope {
  const { registry, clock, vault, caller, deployment, activityId, product } = options;
  const events: PendingEvent[] = [];
  const selectedEvents: WrittenEvents[] = [];
  const woken = new Set<string>();
  let entry: AuditEntry | undefined;
  const ownEntries: { id: string; environment: Environment; entry: OwnAuditEntry }[] = [];
  let startedBy: string | null = null;
  let environment: Environment | undefined = isTenant(caller) ? caller.environment : undefined;

  const acting = (): Environment => {
    if (!environment) throw new Error('This transaction acts in no environment: call actIn before writing.');
    return environment;
  };
  const emit = (name: string, event: NewEvent, elsewhere?: Environment): string => {
    const declaration = registry.events.get(name);
    const id = newId();
    // Nobody consumes the events of a disabled product, or those that require one.
    if (declaration) {
      events.push({ id, name, declaration, event, environment: elsewhere ?? acting() });
      woken.add(eventQueue);
    }
    return id;
  };
  const consumers = (): EventConsumer[] => registry.plugins.flatMap((plugin) => plugin.consumes ?? []);
  const emitSelected = async (name: string, selected: SelectedEvents): Promise<number> => {
    const declaration = registry.events.get(name);
    if (!declaration) return 0;
    woken.add(batchQueue.name);
    const count = await insertSelectedEvents(options.db, { name, declaration }, selected, consumers(), clock.now());
    selectedEvents.push({ name, declaration, environment: selected.environment, count });
    return count;
  };
  const writing = {
    db: options.db,
    emit,
    emitSelected,
    wake: (queue: string) => void woken.add(queue),
    audit: (given: AuditEntry) => void (entry = given),
    auditOwn: (of: Environment, given: OwnAuditEntry) => {
      const id = newId();
      ownEntries.push({ id, environment: of, entry: given });
      return id;
    },
  };
  const shared = {
    ...(options.readOnly === true ? reading(options.db) : writing),
    clock,
    vault,
    caller,
    deployment,
    activityId,
    ...makersFor(registry),
    actIn: (given: Environment, startedByCall: string | null = null) => {
      environment = given;
      startedBy = startedByCall;
    },
    startedBy: () => (caller.kind === 'system' ? startedBy : activityId),
  };
  const contexts = new Map<string | undefined, FullContext>();
  /** A port may use the needs of its own product, not those of the product that called it. */
  const contextFor = (owner: string | undefined): FullContext => {
    const known = contexts.get(owner);
    if (known) return known;
    const made = { ...shared, use: <T>(port: Port<T>): T => registry.provided(port, owner, contextFor) };
    contexts.set(owner, made);
    return made;
  };

  return {
    context: contextFor(product),
    woken,
    written: () => [
      ...selectedEvents,
      ...events.map(({ name, declaration, environment: of, event }) => ({
        name,
        declaration,
        environment: of,
        data: event.data,
        count: 1,
      })),
    ],
    entry: () => entry,
    async assignPositions() {
      if (events.length < bulkEvents) return;
      if (!(await assignPositions(options.db, events, consumers(), clock.now()))) return;
      woken.delete(eventQueue);
      woken.add(batchQueue.name);
    },
    closing(audit) {
      const at = clock.now();
      const statements: Statement[] = [];
      if (audit) {
        const { operation, accountWide, summary } = audit;
        const facts = { id: activityId, environment: acting(), caller, operation, accountWide, at };
        statements.push(activityStatement({ ...facts, entry: entry ?? { summary } }));
      }
      for (const own of ownEntries) {
        const { operation } = own.entry;
        statements.push(activityStatement({ ...own, caller: itself(caller), operation, accountWide: false, at }));
      }
      if (events.length > 0) statements.push(eventStatement(events, audit ? activityId : startedBy, at));
      return statements;
    },
  };
}
