import type { Context } from '#core/kernel/context.js';
import { idBytes } from '#core/runtime/id.js';
import { loadSettings } from '../settings/load.js';

/**
 * Refuses to leave a user without a second factor if one is required, no matter which organization is active in the
 * session.
 * @throws factor_required
 */
export async function requireNoFactorRule(
  { db, fail }: Pick<Context<never, 'factor_required'>, 'db' | 'fail'>,
  environmentId: string,
  userId: string,
): Promise<void> {
  const settings = await loadSettings(db, environmentId);
  if (settings.mfa.required) throw fail.factor_required({ who: 'The environment' });
  const [organization] = await db.rows<{ name: string }>(
    `SELECT o.name FROM auth_org_member m JOIN auth_organization o ON o.id = m.organization_id
     WHERE m.user_id = ? AND o.require_mfa = 1 LIMIT 1`,
    [idBytes(userId)],
  );
  if (organization) throw fail.factor_required({ who: `The organization “${organization.name}”` });
}
