import type { UserCaller } from '#core/kernel/caller/caller.js';
import type { Session } from '#core/runtime/database/session.js';
import { lockOwned } from '#core/kernel/environment/owned.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { SvcError } from '#core/kernel/errors/errors.js';
import { users, type UserRow } from '../tables/user.js';

/**
 * The signed-in user's row, locked until the transaction ends, so that changes to how they sign in run one after the
 * other.
 * @throws token_invalid if the user was deleted since the token was checked
 */
export function lockOwnUser(db: Session, caller: UserCaller): Promise<UserRow> {
  return lockOwned(db, users, caller, caller.user.userId).catch((error: unknown) => {
    throw error instanceof SvcError && error.code === 'not_found' ? refusalOf.token_invalid() : error;
  });
}
