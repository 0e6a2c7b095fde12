import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes, idText } from '#core/runtime/id.js';

/** An organization of which a user is the only owner. */
export interface SoleOwnership {
  id: string;
  name: string;
  /** Whether it has other members. */
  hasOthers: boolean;
}

/** The organizations of which a user is the only owner, by name. */
export async function soleOwnerships(db: ReadSession, userId: string): Promise<SoleOwnership[]> {
  const rows = await db.rows<{ id: Buffer; name: string; member_count: number }>(
    `SELECT o.id, o.name, o.member_count FROM auth_org_member m JOIN auth_organization o ON o.id = m.organization_id
     WHERE m.user_id = ? AND m.role = 'owner' AND NOT EXISTS (
       SELECT 1 FROM auth_org_member other
       WHERE other.organization_id = m.organization_id AND other.role = 'owner' AND other.user_id <> m.user_id)
     ORDER BY o.name_key, o.id`,
    [idBytes(userId)],
  );
  return rows.map(({ id, name, member_count: members }) => ({ id: idText(id), name, hasOthers: members > 1 }));
}
