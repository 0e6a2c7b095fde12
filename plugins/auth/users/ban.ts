import type { UserRow } from '../tables/user.js';

/** Whether the user is banned now: a ban ends by itself at `bannedUntil`. */
export const isBanned = ({ bannedAt, bannedUntil }: Pick<UserRow, 'bannedAt' | 'bannedUntil'>, now: Date): boolean =>
  bannedAt !== null && (bannedUntil === null || bannedUntil > now);

/** The operation that lifts a ban, which user_banned names. */
export const unban = 'auth.user.unban';
