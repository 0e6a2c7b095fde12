import { expect } from 'chai';
import { sessionsOf } from '#plugins/auth/sessions/list.js';
import { claimedIn } from '#plugins/auth/signing-keys/jwt.js';
import { keyAndSession, readHandoffSession, readSession } from '#plugins/auth/sessions/read.js';
import { loadSettings } from '#plugins/auth/settings/load.js';
import { sessions } from '#plugins/auth/tables/session.js';
import { users } from '#plugins/auth/tables/user.js';
import { idBytes, newId } from '#core/runtime/id.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import type { Session } from '#core/runtime/database/session.js';
import { handoffOf, signedIn } from '#test/auth/support.js';
import { handlerReads } from '#test/support/handler-reads.js';
import { usePlatform } from '#test/support/platform.js';
import { skipOnVitess } from '#test/support/vitess.js';

describe('Checking and refreshing sessions', () => {
  const platform = usePlatform();

  it('reads no more rows among thousands of users and sessions than among a few', async function () {
    skipOnVitess(this, 'counters of one connection');
    const { live } = await platform.account();
    const { accessToken, sessionId, userId } = await signedIn(platform, live);
    const codeDigest = sha256(await handoffOf(platform, live));
    const named = claimedIn(accessToken);
    if (!named) throw new Error('The access token has no session.');
    const reads: Record<string, (db: Session) => Promise<unknown>> = {
      'auth.session.verify and every operation of a user': (db) =>
        db.readShared(keyAndSession, { environmentId: live.id, ...named }),
      'auth.session.refresh': (db) => readSession(db, live.id, sessionId),
      'auth.session.exchange': (db) => readHandoffSession(db, live.id, codeDigest),
      'auth.session.mine': (db) =>
        sessionsOf(db, { environmentId: live.id, userId, liveAt: platform.clock.now(), limit: 50 }),
      settings: (db) => loadSettings(db, live.id),
    };
    const { database } = platform.running.services;
    const counted = (): Promise<Record<string, number>> =>
      database.transaction(async (db) => {
        const counts: Record<string, number> = {};
        for (const [name, read] of Object.entries(reads)) {
          await read(db);
          const before = await handlerReads(db);
          await read(db);
          const after = await handlerReads(db);
          counts[name] = after - before;
        }
        return counts;
      });
    const few = await counted();
    for (const [name, count] of Object.entries(few)) expect(count, name).to.be.lessThan(40);

    const [user, session] = [
      await database.findOne(users, { id: userId }),
      await database.findOne(sessions, { id: sessionId }),
    ];
    if (!user || !session) throw new Error('The user is not there.');
    for (let batch = 0; batch < 4; batch += 1) {
      const others = Array.from({ length: 500 }, () => ({ ...user, id: newId(), email: null, emailKey: null }));
      const theirs = others.flatMap(({ id }) => [1, 2, 3].map(() => ({ ...session, id: newId(), userId: id })));
      for (const statement of [users.insertRows(others), sessions.insertRows(theirs)]) await database.run(statement);
    }
    await database.rows('ANALYZE TABLE auth_user, auth_session');
    expect(await platform.count('auth_session', `environment_id = x'${idBytes(live.id).toString('hex')}'`)).to.equal(
      6_002,
    );
    // Fewer where the server chooses another plan for a small table.
    for (const [name, count] of Object.entries(await counted())) expect(count, name).to.be.at.most(few[name] ?? 0);
  });
});
