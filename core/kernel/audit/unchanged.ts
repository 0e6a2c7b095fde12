import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import type { TenantCaller } from '../caller/caller.js';
import type { Context } from '../context.js';
import { refusalOf } from '../errors/common.js';
import { idRange } from '../schema/id-range.js';
import { actorKinds } from './resource.js';

/*
 * Two people edit one thing. A caller sends the `updatedAt` that it has read as `ifUnchangedSince` (schema.ts), and an
 * update of something that has changed since is refused instead of overwriting what the other one saved.
 */

/** What is updated: its kind for the error's text, and its id in audit records. */
interface Subject {
  readonly type: string;
  readonly id: string;
  /** How the operations that change it begin, if other things have audit records with the same subject. */
  readonly operations?: string;
}

type Updating = Pick<Context, 'clock'> & { readonly db: ReadSession; readonly caller: TenantCaller };

/**
 * Call this with the row locked, so that no other update commits between the check and this one.
 * @param since the call's `ifUnchangedSince`; nothing is checked without it
 * @throws changed_meanwhile, with the time of the change and who made it
 */
export async function requireUnchanged(
  context: Updating,
  since: string | undefined,
  { updatedAt }: { readonly updatedAt: Date },
  subject: Subject,
): Promise<void> {
  if (since === undefined || updatedAt.getTime() <= new Date(since).getTime()) return;
  const change = await lastChange(context, updatedAt, subject);
  const by = change?.changedBy ?? null;
  const at = updatedAt.toISOString();
  throw refusalOf.changed_meanwhile({
    thing: subject.type,
    at,
    nextStep: `decide about both changes, then call again with ifUnchangedSince ${at}. Without ifUnchangedSince, the call replaces the other change.`,
    by: by === null ? '' : ` by ${by.label}`,
    details: { updatedAt: at, changedBy: by, activityId: change?.activityId ?? null },
  });
}

interface Change {
  readonly activityId: string;
  readonly changedBy: { readonly kind: string; readonly id: string; readonly label: string };
}

interface Row {
  id: Buffer;
  actor_kind: Buffer;
  actor_id: Buffer;
  actor_label: string;
}

/**
 * The audit record of the change that gave the row its `updatedAt`.
 * @returns null if the change left no separate record, as that of an import; and for end users, who may not know the
 *   project's members and keys
 */
async function lastChange({ db, clock, caller }: Updating, updatedAt: Date, subject: Subject): Promise<Change | null> {
  if (isEndUser(caller)) return null;
  const now = clock.now();
  // An update in the same millisecond as the one before it is dated later (updateTime).
  const from = updatedAt < now ? updatedAt : now;
  const [row] = await db.rows<Row>(
    `SELECT id, actor_kind, actor_id, actor_label FROM svc_activity
     WHERE environment_id = ? AND subject_id = ? AND id >= ? AND subject_type = ? AND created_at >= ? AND changes <> '[]'
       AND operation LIKE ?
     ORDER BY id DESC LIMIT 1`,
    [
      idBytes(caller.environment.id),
      Buffer.from(subject.id),
      idRange(from, undefined, now).from ?? Buffer.alloc(16),
      Buffer.from(subject.type),
      from,
      Buffer.from(`${subject.operations ?? ''}%`),
    ],
  );
  if (!row) return null;
  const kind = actorKinds.find((each) => each === row.actor_kind.toString()) ?? 'system';
  return {
    activityId: idText(row.id),
    changedBy: { kind, id: row.actor_id.toString(), label: row.actor_label },
  };
}

const isEndUser = (caller: TenantCaller): boolean => caller.user !== null;

/**
 * The `updatedAt` of a row that changes now. It is later than the one before, also if both updates happen within a
 * millisecond or the clocks of two nodes differ: otherwise `ifUnchangedSince` would miss the second update.
 */
export const updateTime = ({ updatedAt }: { readonly updatedAt: Date }, now: Date): Date =>
  now > updatedAt ? now : new Date(updatedAt.getTime() + 1);
