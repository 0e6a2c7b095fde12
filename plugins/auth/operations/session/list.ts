import { findOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore, page } from '#core/kernel/schema/paging.js';
import { boolean, list, object, uuid, withDefault } from '#core/kernel/schema/schema.js';
import { exampleSession, exampleUser } from '../../examples.js';
import { sessionsOf } from '../../sessions/list.js';
import { presentSession, Session } from '../../sessions/resources.js';
import { users } from '../../tables/user.js';

export default defineOperation({
  name: 'auth.session.list',
  summary: 'Lists a user’s sessions with device and network details, newest first.',
  keywords: 'devices sign-ins IP location',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({
    userId: uuid('The user.'),
    live: withDefault(boolean('Whether to list only live sessions; false includes ended and expired ones.'), true),
    ...page,
  }),
  output: object({ sessions: list(Session), nextBefore }),
  example: { input: { userId: exampleUser.id }, output: { sessions: [exampleSession], nextBefore: null } },

  async handle({ userId, live, before, limit }, { db, caller, clock }) {
    await findOwned(db, users, caller, userId);
    const liveAt = live ? clock.now() : null;
    const { rows, next } = await sessionsOf(db, {
      environmentId: caller.environment.id,
      userId,
      liveAt,
      before,
      limit,
    });
    return { sessions: rows.map(presentSession), nextBefore: next };
  },
});
