import { expect } from 'chai';
import { eventsOf } from '#test/audience/support.js';
import { usePlatform } from '#test/support/platform.js';
import { mfaTokenOf, publishableApi, userWithTotp } from '../factor/support.js';

describe('auth.mfa.recover', () => {
  const platform = usePlatform();

  async function waiting() {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const made = await userWithTotp(platform, account);
    const mfaToken = await mfaTokenOf(platform, account.live, made.user.userId);
    const [recoveryCode = '', second = ''] = made.recoveryCodes;
    return { account, api, mfaToken, recoveryCode, second, ...made };
  }

  it('signs in once with a recovery code, says how many are left, and reports it', async () => {
    const { account, api, mfaToken, recoveryCode, user } = await waiting();
    const { tokens, remainingRecoveryCodes } = await api.call('auth.mfa.recover', { mfaToken, recoveryCode });
    expect(remainingRecoveryCodes).to.equal(9);
    const claims: unknown = JSON.parse(Buffer.from(tokens?.accessToken.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).to.deep.include({ amr: ['password', 'recovery_code'], mfa: true });
    const [used] = await eventsOf(platform, account.live, 'auth.mfa.recovery_used');
    expect(used).to.deep.include({ personId: user.userId, data: { userId: user.userId } });
    const again = await mfaTokenOf(platform, account.live, user.userId);
    const refused = await api.refusal('auth.mfa.recover', { mfaToken: again, recoveryCode });
    expect(refused).to.include({ status: 400, code: 'wrong_code' });
    expect(refused.details).to.deep.equal({ attemptsLeft: 4 });
  });

  it('takes a code in lower case, without its hyphen, and with the letters that look like digits', async () => {
    const { account, api, mfaToken, recoveryCode, second, user } = await waiting();
    await api.call('auth.mfa.recover', { mfaToken, recoveryCode: recoveryCode.toLowerCase().replace('-', ' ') });
    const again = await mfaTokenOf(platform, account.live, user.userId);
    await api.call('auth.mfa.recover', {
      mfaToken: again,
      recoveryCode: second.replaceAll('0', 'O').replaceAll('1', 'l'),
    });
  });

  it('takes a code once under a race of twenty sign-ins on two nodes', async () => {
    const { account, api, recoveryCode, user } = await waiting();
    const node = await platform.secondNode();
    const other = node.as(account.keys.live.publishable);
    const tokens: string[] = [];
    for (let n = 0; n < 20; n += 1) tokens.push(await mfaTokenOf(platform, account.live, user.userId));
    const answers = await Promise.all(
      tokens.map((mfaToken, n) =>
        (n % 2 ? api : other).raw('/auth/mfa/recover', JSON.stringify({ mfaToken, recoveryCode })),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
    await node.stop();
  });

  it('shares the five tries of the mfaToken with codes of the app', async () => {
    const { api, mfaToken, recoveryCode, app } = await waiting();
    const wrong = app.code(20);
    for (let n = 0; n < 2; n += 1) await api.refusal('auth.mfa.verify', { mfaToken, code: wrong });
    for (let n = 0; n < 3; n += 1)
      expect(await api.refusal('auth.mfa.recover', { mfaToken, recoveryCode: 'AAAAA-AAAAA' })).to.include({
        code: 'wrong_code',
      });
    expect(await api.refusal('auth.mfa.recover', { mfaToken, recoveryCode })).to.include({
      status: 429,
      code: 'challenge_locked',
    });
  });

  it('refuses the code of another user, and an mfaToken that was used', async () => {
    const { account, api, mfaToken, recoveryCode } = await waiting();
    const bob = await userWithTotp(platform, account, 'bob@example.com');
    const his = bob.recoveryCodes[0] ?? '';
    expect(await api.refusal('auth.mfa.recover', { mfaToken, recoveryCode: his })).to.include({ code: 'wrong_code' });
    await api.call('auth.mfa.recover', { mfaToken, recoveryCode });
    expect(await api.refusal('auth.mfa.recover', { mfaToken, recoveryCode: his })).to.include({
      status: 401,
      code: 'mfa_token_invalid',
    });
  });

  it('stores digests alone', async () => {
    const { recoveryCode } = await waiting();
    const rows = await platform.running.services.database.rows<{ code_digest: Buffer }>(
      'SELECT code_digest FROM auth_recovery_code',
    );
    const plain = recoveryCode.replace('-', '');
    expect(rows.some(({ code_digest: digest }) => digest.includes(Buffer.from(plain)))).to.be.false;
  });
});
