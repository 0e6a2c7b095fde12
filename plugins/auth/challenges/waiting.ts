import type { Context } from '#core/kernel/context.js';
import { idBytes } from '#core/runtime/id.js';

/** Ends a user's sign-ins that wait for their second step: what they passed first may count no longer. */
export async function endWaitingSignIns({ db, clock }: Pick<Context, 'db' | 'clock'>, userId: string): Promise<void> {
  const now = clock.now();
  await db.run(
    `UPDATE auth_challenge SET expires_at = ? WHERE user_id = ? AND purpose = 'second_factor' AND completed_at IS NULL AND expires_at > ?`,
    [now, idBytes(userId), now],
  );
}
