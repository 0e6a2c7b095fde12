import { randomUUID } from 'node:crypto';
import type { RowDataPacket } from 'mysql2/promise';
import { insertInto } from '#core/runtime/database/statement.js';
import { idBytes, newId } from '#core/runtime/id.js';
import type { Bench, Contest, Round, Side } from '../bench.js';
import { call } from '../call.js';
import { isRecord } from '../json.js';
import { keysForRate, mintPublishable, publishableForRate } from '../keys.js';
import { drive, inTurn, posterTo, replierTo } from '../load.js';
import type { Stage } from '../stage.js';

const warmUpMs = 2_000;
const sessionCount = 200;

interface OpenSession {
  accessToken: string;
  refreshToken: string;
}

/**
 * A user with sessions that can be refreshed, as after sign-ins: they are opened by impersonation and then reassigned
 * to the user.
 */
async function openSessions(stage: Stage): Promise<OpenSession[]> {
  const { database } = stage;
  const { key } = await call(stage, 'developers.key.current', {});
  const environmentId = isRecord(key) ? String(key['environmentId']) : '';
  const id = newId();
  const now = new Date();
  const { sql, parameters } = insertInto('auth_user', [
    {
      id: idBytes(id),
      environment_id: idBytes(environmentId),
      email: `${randomUUID()}@example.com`,
      email_verified: 1,
      phone_verified: 0,
      user_metadata: '{}',
      metadata: '{}',
      private_metadata: '{}',
      created_at: now,
      updated_at: now,
    },
  ]);
  await database.query<RowDataPacket[]>(sql, [...parameters]);
  const opened: OpenSession[] = [];
  for (let each = 0; each < sessionCount; each += 1) {
    const { tokens } = await call(stage, 'auth.user.impersonate', { userId: id, reason: 'For the bench.' });
    if (!isRecord(tokens)) throw new Error('auth.user.impersonate answered no tokens.');
    opened.push({ accessToken: String(tokens['accessToken']), refreshToken: String(tokens['refreshToken']) });
  }
  await database.query(
    'UPDATE auth_session SET impersonator_id = NULL, impersonator_label = NULL, expires_at = ? WHERE user_id = ?',
    [new Date(now.getTime() + 2_592_000_000), idBytes(id)],
  );
  return opened;
}

type ClosingSide = Side & { close(): Promise<void> };

const contest = (svc: ClosingSide, floor: ClosingSide, stop: () => Promise<void>): Contest => ({
  svc,
  floor,
  async close() {
    await Promise.all([svc.close(), floor.close()]);
    await stop();
  },
});

/** The floor copies the rows that this writes. */
async function refreshOnce({ svc, database, keys }: Stage, [session]: readonly OpenSession[]): Promise<void> {
  if (!session) throw new Error('No session was opened.');
  const [key = ''] = await mintPublishable(database, keys[0] ?? '', 1);
  const { reply, close } = replierTo(svc.address, '/auth/session/refresh');
  session.refreshToken = nextToken(
    await reply({ authorization: `Bearer ${key}` }, JSON.stringify({ refreshToken: session.refreshToken })),
    session.refreshToken,
  );
  await close();
}

/** The refresh token in an answer of svc. The floor leaves the token as it is: only svc knows the next one. */
function nextToken(answer: unknown, current: string): string {
  const result = isRecord(answer) ? answer['result'] : undefined;
  const tokens = isRecord(result) ? result['tokens'] : undefined;
  const next = isRecord(tokens) ? String(tokens['refreshToken']) : '';
  return next.startsWith('svc_rt_') ? next : current;
}

async function verifying(
  { keys }: Stage,
  sessions: readonly OpenSession[],
  { words, address, pid }: { words: string; address: string; pid: number },
): Promise<ClosingSide> {
  const { post, close } = posterTo(address, '/auth/session/verify');
  const token = inTurn(sessions, sessions.length);
  const round = (ms: number, count: number): Promise<Round> => {
    const key = inTurn(keys, count);
    return drive(ms, () =>
      post({ authorization: `Bearer ${key()}` }, JSON.stringify({ accessToken: token().accessToken })),
    );
  };
  const { perSecond } = await round(warmUpMs, keys.length);
  return { words, pid, close, round: (ms) => round(ms, keysForRate(perSecond)) };
}

const verifyingIn = ({ svc }: Stage) => ({ words: 'auth.session.verify', address: svc.address, pid: svc.pid });

/** Checks access tokens online. */
export const verifyingSide = async (stage: Stage): Promise<ClosingSide> =>
  verifying(stage, await openSessions(stage), verifyingIn(stage));

/** Checks access tokens online, compared with the same read. */
export const verifySessions: Bench = {
  name: 'session-verify',
  target: 0.75,
  async prepare(stage) {
    const sessions = await openSessions(stage);
    await refreshOnce(stage, sessions);
    const server = await stage.startFloor('session-server');
    const svc = await verifying(stage, sessions, verifyingIn(stage));
    const { address, pid } = server;
    const floor = await verifying(stage, sessions, {
      words: 'Koa + Map + key hash + Ajv, the same read',
      address,
      pid,
    });
    return contest(svc, floor, () => server.stop());
  },
};

/** Refreshes sessions, compared with the same rows. Each session is refreshed by one call at a time. */
export const refreshSessions: Bench = {
  name: 'session-refresh',
  target: 0.6,
  async prepare(stage) {
    const sessions = await openSessions(stage);
    await refreshOnce(stage, sessions);
    const server = await stage.startFloor('session-server');
    const publishable = await mintPublishable(stage.database, stage.keys[0] ?? '', 4_000);
    const idle = sessions.slice();
    const side = async (words: string, address: string, pid: number): Promise<ClosingSide> => {
      const { reply, close } = replierTo(address, '/auth/session/refresh');
      const round = (ms: number, count: number): Promise<Round> => {
        const key = inTurn(publishable, count);
        return drive(ms, async () => {
          const session = idle.pop();
          if (!session) throw new Error('More calls run at once than there are sessions.');
          const { refreshToken } = session;
          const answer = await reply({ authorization: `Bearer ${key()}` }, JSON.stringify({ refreshToken }));
          session.refreshToken = nextToken(answer, refreshToken);
          idle.unshift(session);
        });
      };
      const { perSecond } = await round(warmUpMs, publishable.length);
      return {
        words,
        pid,
        close,
        round: (ms) => round(ms, Math.min(publishable.length, publishableForRate(perSecond))),
      };
    };
    const svc = await side('auth.session.refresh', stage.svc.address, stage.svc.pid);
    const floor = await side('Koa + Map + key hash + Ajv, the same rows and round trips', server.address, server.pid);
    return contest(svc, floor, () => server.stop());
  },
};
