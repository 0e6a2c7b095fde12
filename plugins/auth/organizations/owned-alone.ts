import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes, idText } from '#core/runtime/id.js';

/** An organization with a single owner. */
export interface OwnedAlone {
  id: string;
  name: string;
  hasOthers: boolean;
}

/** The organizations of which a user is the only owner, by name. */
export async function ownedAloneBy(db: ReadSession, userId: string): Promise<OwnedAlone[]> {
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
