import { insertInto, type Statement } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';
import { isTenant, type Caller, type Environment } from '../caller/caller.js';
import type { AuditEntry } from '../context.js';
import { summaryOf } from './changes.js';

interface ActivityFacts {
  id: string;
  environment: Environment;
  caller: Caller;
  operation: string;
  accountWide: boolean;
  entry: AuditEntry;
  at: Date;
}

/**
 * The actor of an audit record: the end user instead of the key that sent the call, and the member who impersonates the
 * user, if any.
 */
export function actorOf(caller: Caller): { kind: string; id: string; label: string } {
  if (isTenant(caller) && caller.user) {
    const { userId: id, label, impersonator } = caller.user;
    return { kind: 'user', id, label: impersonator ? `${label}, impersonated by ${impersonator.label}` : label };
  }
  if (caller.kind === 'key' || caller.kind === 'member')
    return { kind: caller.kind, id: caller.id, label: caller.label };
  if (caller.kind === 'system') return { kind: 'system', id: 'system', label: caller.label };
  return { kind: 'public', id: 'public', label: caller.kind === 'page' ? caller.label : 'Public call' };
}

/** The actor's label in the records of a person who was erased. */
export const erasedUserLabel = 'Erased user';

const cut = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, length - 1)}…`);

/**
 * Builds the row of an audit record (an activity): the actor, the operation, the subject, the origin and the changed
 * fields.
 */
export function activityStatement({
  id,
  environment,
  caller,
  operation,
  accountWide,
  entry,
  at,
}: ActivityFacts): Statement {
  const actor = actorOf(caller);
  const { ip, userAgent } = caller.request;
  const userId = isTenant(caller) ? caller.user?.userId : undefined;
  // Calls by a user have the user as actor, so an erasure of the user must find them.
  const personId = entry.personId === undefined ? userId : entry.personId;
  // No erasure finds this record, so it is written as an erasure would leave it.
  const isErased = personId === null && userId !== undefined;
  return insertInto('svc_activity', [
    {
      id: idBytes(id),
      environment_id: idBytes(environment.id),
      account_id: idBytes(environment.accountId),
      account_wide: accountWide ? 1 : 0,
      operation: Buffer.from(operation),
      actor_kind: Buffer.from(actor.kind),
      actor_id: Buffer.from(actor.id),
      actor_label: isErased ? erasedUserLabel : cut(actor.label, 254),
      publishable: isTenant(caller) && caller.publishable ? 1 : 0,
      subject_type: entry.subject ? Buffer.from(entry.subject.type) : null,
      subject_id: entry.subject ? Buffer.from(entry.subject.id) : null,
      person_id: personId === undefined || personId === null ? null : idBytes(personId),
      summary: cut(summaryOf(entry), 500),
      changes: JSON.stringify(entry.changes ?? []),
      request_id: idBytes(caller.request.requestId),
      ip: isErased ? '' : cut(ip, 45),
      user_agent: isErased || userAgent === null ? null : cut(userAgent, 300),
      created_at: at,
    },
  ]);
}
