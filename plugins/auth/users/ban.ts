import type { Change } from '#core/kernel/context.js';
import { makeError, type SvcError } from '#core/kernel/errors/errors.js';
import { changesBetween } from '#core/kernel/audit/changes.js';
import { errors } from '../errors.js';
import type { UserRow } from '../tables/user.js';

type Ban = Pick<UserRow, 'bannedAt' | 'bannedUntil' | 'banReason'>;

/** Whether the user is banned now. A ban ends automatically at `bannedUntil`. */
export const isBanned = ({ bannedAt, bannedUntil }: Omit<Ban, 'banReason'>, now: Date): boolean =>
  bannedAt !== null && (bannedUntil === null || bannedUntil > now);

/**
 * The refusal of a banned user if the operation does not list user_banned itself: each access token may be refused so.
 */
export const bannedRefusal = (): SvcError => makeError('user_banned', errors.user_banned);

/** A ban as audit records show it. A ban that has ended is not shown. */
const shown = (row: Ban, now: Date) =>
  isBanned(row, now)
    ? {
        bannedAt: row.bannedAt?.toISOString() ?? null,
        bannedUntil: row.bannedUntil?.toISOString() ?? null,
        reason: row.banReason,
      }
    : { bannedAt: null, bannedUntil: null, reason: null };

/** What changed about a user's ban, for the audit record. */
export const banChanges = (before: Ban, after: Ban, now: Date): Change[] =>
  changesBetween(shown(before, now), shown(after, now), ['bannedAt', 'bannedUntil', 'reason']);
