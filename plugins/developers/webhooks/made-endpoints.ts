import type { MadeEndpoint } from '#core/kernel/ports.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes, idText } from '#core/runtime/id.js';

/** For audit records, because an account can have thousands. */
const maxListed = 200;

/**
 * The webhook endpoints of an account, or those that one of its members created or last changed the address of. The
 * oldest 200.
 */
export async function madeEndpoints(
  db: Session,
  by: { accountId: string } | { memberId: string },
): Promise<MadeEndpoint[]> {
  const [condition, id] = 'memberId' in by ? ['w.member_id = ?', by.memberId] : ['e.account_id = ?', by.accountId];
  const rows = await db.rows<{ id: Buffer; environment_id: Buffer; url: Buffer }>(
    `SELECT w.id, w.environment_id, w.url FROM developers_webhook w JOIN svc_environment e ON e.id = w.environment_id
     WHERE ${condition} ORDER BY w.id LIMIT ?`,
    [idBytes(id), maxListed],
  );
  return rows.map(({ id: endpointId, environment_id: environmentId, url }) => ({
    id: idText(endpointId),
    environmentId: idText(environmentId),
    url: url.toString(),
  }));
}
