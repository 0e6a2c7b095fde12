import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore, page } from '#core/kernel/schema/paging.js';
import { list, object } from '#core/kernel/schema/schema.js';
import { accessToken, exampleAccessToken } from '../../access-token.js';
import { exampleSession } from '../../examples.js';
import { sessionsOf } from '../../sessions/list.js';
import { presentSession, OwnSession } from '../../sessions/resources.js';

export default defineOperation({
  name: 'auth.session.mine',
  summary: 'Lists the caller’s live sessions and marks the current one.',
  keywords: 'my devices where am I signed in',
  access: 'user',
  impact: { read: true, retrySafe: true },
  input: object({ accessToken, ...page }),
  output: object({ sessions: list(OwnSession), nextBefore }),
  example: {
    input: { accessToken: exampleAccessToken },
    output: { sessions: [{ ...exampleSession, current: true }], nextBefore: null },
  },

  async handle({ before, limit }, { db, caller, clock }) {
    const { environment, user } = caller;
    const of = { environmentId: environment.id, userId: user.userId, liveAt: clock.now() };
    const { rows, next } = await sessionsOf(db, { ...of, before, limit });
    const sessions = rows.map((row) => ({ ...presentSession(row), current: row.id === user.sessionFamilyId }));
    return { sessions, nextBefore: next };
  },
});
