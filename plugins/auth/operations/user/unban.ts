import { updateTime } from '#core/kernel/audit/unchanged.js';
import { lockOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { exampleUser } from '../../examples.js';
import { users } from '../../tables/user.js';
import { banChanges, isBanned } from '../../users/ban.js';
import { presentUser, presentUserPrivately, UserWithPrivateMetadata } from '../../users/resources.js';
import { userEntry } from '../../users/update.js';

export default defineOperation({
  name: 'auth.user.unban',
  summary: 'Lifts the ban on a user.',
  description: 'The user can sign in again. Sessions that the ban ended do not come back.',
  keywords: 'unblock unlock reactivate enable end user',
  access: 'secret',
  impact: { retrySafe: true },
  input: object({ userId: uuid('The user.') }),
  output: object({ user: UserWithPrivateMetadata }),
  events: ['auth.user.unbanned'],
  example: {
    input: { userId: exampleUser.id },
    output: { user: { ...exampleUser, banReason: null, privateMetadata: {} } },
  },

  async handle({ userId }, { db, caller, clock, emit, audit }) {
    const now = clock.now();
    const before = await lockOwned(db, users, caller, userId);
    const lifted = isBanned(before, now);
    const after = lifted
      ? { ...before, bannedAt: null, bannedUntil: null, banReason: null, updatedAt: updateTime(before, now) }
      : before;
    audit({
      ...userEntry(userId),
      summary: 'Lifted a user’s ban.',
      changes: banChanges(before, after, now),
      unchanged: 'the user was not banned.',
    });
    if (lifted) {
      const { bannedAt, bannedUntil, banReason, updatedAt } = after;
      await db.update(users, { id: userId }, { bannedAt, bannedUntil, banReason, updatedAt });
      emit('auth.user.unbanned', { subjectId: userId, personId: userId, data: { user: presentUser(after, now) } });
    }
    return { user: presentUserPrivately(after, now) };
  },
});
