import type { Context } from '#core/kernel/context.js';
import { idBytes } from '#core/runtime/id.js';

/**
 * Ends a user's sign-ins that are waiting for their second step: the first step that they passed may no longer be
 * valid.
 */
export async function endWaitingSignIns({ db, clock }: Pick<Context, 'db' | 'clock'>, userId: string): Promise<void> {
  const now = clock.now();
  await db.run(
    `UPDATE auth_challenge SET expires_at = ? WHERE user_id = ? AND purpose = 'second_factor' AND completed_at IS NULL AND expires_at > ?`,
    [now, idBytes(userId), now],
  );
}
