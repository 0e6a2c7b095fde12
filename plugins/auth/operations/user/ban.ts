import { updateTime } from '#core/kernel/audit/unchanged.js';
import type { Change } from '#core/kernel/context.js';
import { lockOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { futureDate } from '#core/kernel/schema/future-date.js';
import { count, dateTime, filledText, object, optional, uuid } from '#core/kernel/schema/schema.js';
import { exampleUser } from '../../examples.js';
import { lockOrganizationsOf } from '../../organizations/deleted-user.js';
import { withdrawInvitations } from '../../organizations/withdraw.js';
import { endSessions } from '../../sessions/end.js';
import { users } from '../../tables/user.js';
import { banChanges, isBanned } from '../../users/ban.js';
import { presentUser, presentUserPrivately, UserWithPrivateMetadata } from '../../users/resources.js';
import { userEntry } from '../../users/update.js';

export default defineOperation({
  name: 'auth.user.ban',
  summary: 'Bans a user and ends all of the user’s sessions.',
  description:
    'The user cannot sign in or refresh, and svc rejects their access tokens immediately. Open organization invitations that the user sent are withdrawn. With `until`, the ban ends automatically at that time. Banning the user again replaces the end and, if passed, the reason.',
  keywords: 'block lock suspend disable deactivate end user',
  access: 'secret',
  impact: { destructive: true, retrySafe: true },
  input: object({
    userId: uuid('The user to ban.'),
    reason: optional(
      filledText(
        'The reason, for the audit record. The user does not see it. If omitted, a ban keeps its existing reason.',
        500,
      ),
    ),
    until: optional(dateTime('When the ban ends automatically. If omitted, it lasts until auth.user.unban.')),
  }),
  output: object({ user: UserWithPrivateMetadata, endedSessions: count('The number of sessions that ended.') }),
  events: ['auth.user.banned', 'auth.session.revoked', 'auth.org.invite_revoked'],
  example: {
    input: { userId: exampleUser.id, reason: 'Card testing.' },
    output: {
      user: { ...exampleUser, bannedAt: exampleUser.createdAt, banReason: 'Card testing.', privateMetadata: {} },
      endedSessions: 1,
    },
  },

  async handle({ userId, reason, until }, context) {
    const { db, caller, clock, emit, audit } = context;
    const now = clock.now();
    const bannedUntil = until === undefined ? null : new Date(until);
    const before = await lockOwned(db, users, caller, userId);
    const isSameEnd = before.bannedAt !== null && before.bannedUntil?.getTime() === bannedUntil?.getTime();
    const banReason = reason ?? (isSameEnd || isBanned(before, now) ? before.banReason : null);
    // A repeated call that arrives after the end of the ban finds it done.
    const isRepeat = isSameEnd && before.banReason === banReason;
    if (!isRepeat && until !== undefined) futureDate(until, 'until', now);
    const bannedAt = isBanned(before, now) ? before.bannedAt : now;
    const after = isRepeat
      ? before
      : { ...before, bannedAt, bannedUntil, banReason, updatedAt: updateTime(before, now) };
    const withdrawn: Change[] = [];
    if (!isRepeat)
      for (const { organization } of await lockOrganizationsOf(context, userId))
        withdrawn.push(...(await withdrawInvitations(context, caller.environment, organization.id, userId, null)));
    audit({
      ...userEntry(userId),
      summary: bannedUntil ? `Banned a user until ${bannedUntil.toISOString()}.` : 'Banned a user.',
      changes: [...banChanges(before, after, now), ...withdrawn],
      unchanged: 'the user already had this ban.',
    });
    if (!isRepeat) {
      await db.update(users, { id: userId }, { bannedAt, bannedUntil, banReason, updatedAt: after.updatedAt });
      const data = { user: presentUser(after, now) };
      emit('auth.user.banned', { subjectId: userId, personId: userId, data });
    }
    const ended = isBanned(after, now) ? await endSessions(context, caller.environment, { userId }, 'banned') : [];
    return { user: presentUserPrivately(after, now), endedSessions: ended.length };
  },
});
