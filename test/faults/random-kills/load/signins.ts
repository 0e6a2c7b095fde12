import { setTimeout as pause } from 'node:timers/promises';
import { textAt } from '../../support/call.js';
import type { Load } from './load.js';

/** A code arrives within this time, also if a node that had claimed its mail was killed. */
const codeWithinMs = 100_000;
const refreshes = 6;

/** Signs somebody in with a mailed code, and refreshes the session several times. */
export const signIns: Load = {
  name: 'signin',
  clients: 3,
  everyMs: 500,
  permissions: ['auth:read'],
  async turn({ app, read, deployment, ending }, label) {
    const email = `signin-${label}@example.com`;
    const started = await app.write(`${label}.start`, 'auth.signin.start', { email });
    const challengeId = textAt(started.result, 'challengeId');
    const deadline = Date.now() + codeWithinMs;
    while (deployment.mail.codeOf(email) === undefined) {
      if (Date.now() > deadline) throw new Error(`${email} got no code within ${codeWithinMs / 1000} s.`);
      await pause(100);
    }
    const code = deployment.mail.codeOf(email) ?? '';
    const verified = await app.write(`${label}.verify`, 'auth.signin.verify', { challengeId, code });
    let refreshToken = textAt(verified.result, 'tokens', 'refreshToken');
    let accessToken = textAt(verified.result, 'tokens', 'accessToken');
    for (let n = 0; n < refreshes && !ending(); n += 1) {
      await pause(500);
      const refreshed = await app.write(`${label}.refresh-${n}`, 'auth.session.refresh', { refreshToken });
      refreshToken = textAt(refreshed.result, 'tokens', 'refreshToken');
      accessToken = textAt(refreshed.result, 'tokens', 'accessToken');
    }
    const session = await read('auth.session.verify', { accessToken });
    if (typeof session !== 'object' || session === null || !('valid' in session) || session.valid !== true)
      throw new Error(`The session of ${email} is not valid after its last refresh: ${JSON.stringify(session)}`);
  },
};
