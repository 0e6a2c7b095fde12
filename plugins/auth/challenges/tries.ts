import { counted } from '#config/counted.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import type { Refusal } from '#core/kernel/errors/errors.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { challenges, type ChallengeRow, type ChallengePurpose } from '../tables/challenge.js';

/** How many codes may be tried for a challenge. */
const maxTries = 5;

/** The challenge of an environment in any state; null if there is none for one of these purposes. */
export async function findChallenge(
  db: Session,
  environment: Environment,
  id: string,
  purposes: readonly ChallengePurpose[],
): Promise<ChallengeRow | null> {
  const row = await db.findOne(challenges, { id, environmentId: environment.id });
  return row && purposes.includes(row.purpose) ? row : null;
}

/**
 * Counts a try before its code is checked. One conditional UPDATE decides, so at most `maxTries` of any number of
 * concurrent guesses are checked. The row stays locked until the transaction ends. The handler must commit a wrong
 * guess (return a refusal, not throw one).
 * @returns how many tries are left after this one; null if the code must not be checked: `whyClosed` returns the reason
 */
export async function countTry({ db, clock }: Pick<Context, 'db' | 'clock'>, id: string): Promise<number | null> {
  // LAST_INSERT_ID(expr) returns a number with the statement's result.
  const { affectedRows, insertId } = await db.run(
    `UPDATE auth_challenge SET attempts = LAST_INSERT_ID(attempts + 1)
     WHERE id = ? AND completed_at IS NULL AND attempts < ? AND expires_at > ?`,
    [idBytes(id), maxTries, clock.now()],
  );
  return affectedRows === 0 ? null : maxTries - insertId;
}

/**
 * Completes a challenge once: only one of several concurrent calls gets true.
 * @returns false if it was already completed or has expired
 */
export async function completeChallenge({ db, clock }: Pick<Context, 'db' | 'clock'>, id: string): Promise<boolean> {
  const now = clock.now();
  const { affectedRows } = await db.run(
    'UPDATE auth_challenge SET completed_at = ? WHERE id = ? AND completed_at IS NULL AND expires_at > ?',
    [now, idBytes(id), now],
  );
  return affectedRows > 0;
}

/** Completes a challenge whose try this transaction has counted: its row is locked and was open. */
export const completeTried = ({ db, clock }: Pick<Context, 'db' | 'clock'>, id: string): Promise<void> =>
  db.defer({ sql: 'UPDATE auth_challenge SET completed_at = ? WHERE id = ?', parameters: [clock.now(), idBytes(id)] });

/** Why a challenge accepts no more codes. Read it again: another call may have completed it in the meantime. */
export async function whyClosed(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  id: string,
): Promise<'challenge_used' | 'challenge_expired' | 'challenge_locked'> {
  const row = await db.findOne(challenges, { id });
  if (row?.completedAt) return 'challenge_used';
  if (!row || row.expiresAt <= clock.now()) return 'challenge_expired';
  return 'challenge_locked';
}

/**
 * The refusal of a wrong code. Return it, so that its try counts.
 * @param left how many tries are left
 * @param operations the operation that takes the code, and the one that starts again
 */
export const wrongCode = (
  { refuse }: Pick<Context<never, 'wrong_code'>, 'refuse'>,
  left: number,
  { again, start }: { again: string; start: string },
): Refusal =>
  refuse.wrong_code({
    nextStep:
      left === 0
        ? `No attempts are left. Start again with ${start}.`
        : `Let the person correct the code and call ${again} again: ${counted(left, 'attempt is', 'attempts are')} left.`,
    details: { attemptsLeft: left },
  });
