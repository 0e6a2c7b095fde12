import { expect } from 'chai';
import { idBytes } from '#core/runtime/id.js';
import { publishableApi } from '#test/auth/factor/support.js';
import { signedIn } from '#test/auth/support.js';
import { usePlatform } from '#test/support/platform.js';
import { startCall, type RunningCall } from '#test/support/running-call.js';
import { useStatementGate } from '#test/support/statement-gate.js';

describe('An approved device that asks while the session that approved it is taken away', () => {
  const statements = useStatementGate();
  const platform = usePlatform({ databaseUrl: statements.databaseUrl });

  async function approved() {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const { userId, sessionId, accessToken } = await signedIn(platform, account.live);
    const { userCode, deviceCode } = await api.call('auth.device.start', { clientName: 'TV' });
    await api.call('auth.device.approve', { accessToken, userCode });
    const { secret, publishable } = account.keys.live;
    return {
      userId,
      sessionId,
      poll: (): RunningCall => startCall(platform, 'auth.device.poll', { deviceCode }, publishable),
      revoke: (input: object): RunningCall => startCall(platform, 'auth.session.revoke', input, secret),
    };
  }

  it('is denied where the session was taken away first', async () => {
    const { sessionId, poll, revoke } = await approved();
    const gate = statements.hold('SET ended_at');
    const revoking = revoke({ sessionId });
    await gate.reached(1);
    const polling = poll();
    await polling.untilStopped('the poll to end, or to wait for the session');
    gate.open();
    expect(await revoking.code()).to.equal('complete');
    expect(await polling.code()).to.equal('device_denied');
  });

  it('loses its session where that came first and every session of the user is ended', async () => {
    const { userId, poll, revoke } = await approved();
    const gate = statements.hold('INSERT INTO `auth_session`');
    const polling = poll();
    await gate.reached(1);
    const revoking = revoke({ userId });
    await revoking.untilStopped('the end of all sessions, or that it waits for the device');
    gate.open();
    expect(await polling.code()).to.equal('complete');
    expect((await revoking.answer).text).to.contain('"ended":2');
    const live = `ended_at IS NULL AND user_id = x'${idBytes(userId).toString('hex')}'`;
    expect(await platform.count('auth_session', live)).to.equal(0);
  });
});
