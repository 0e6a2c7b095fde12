import { expect } from 'chai';
import { retentionJobs } from '#plugins/auth/retention.js';
import { minutes } from '#test/support/clock.js';
import { accountWith, browserOf, failures, useOidc } from './support.js';

describe('The state of a sign-in with a provider', () => {
  const env = useOidc();

  it('completes only in the browser that started it', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    const key = account.keys.test.publishable;
    const browser = browserOf(platform, account);
    const [victim, attacker] = [await browser.arrive(), await browser.start()];
    const refusal = (input: object) => account.svcTest.refusal('auth.oauth.complete', input, { key });
    const refused = await refusal({ ...victim, browserToken: attacker.browserToken });
    expect(refused).to.include({ code: 'state_mismatch', status: 400 });
    expect(refused.fix).to.contain('auth.oauth.start');
    expect(await refusal({ ...victim, browserToken: 'x' })).to.include({ code: 'state_mismatch' });
    // It was not used up by whoever tried.
    expect((await account.svcTest.call('auth.oauth.complete', victim, { key })).status).to.equal('complete');
  });

  it('belongs to its environment, and an unknown one reads the same', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    const other = await accountWith(platform, oidc);
    const arrival = await browserOf(platform, account).arrive();
    const elsewhere = await other.svcTest.refusal('auth.oauth.complete', arrival, {
      key: other.keys.test.publishable,
    });
    const unknown = await account.svcTest.refusal(
      'auth.oauth.complete',
      { ...arrival, state: 'never-given' },
      { key: account.keys.test.publishable },
    );
    const { code, message, fix, status } = elsewhere;
    expect(unknown).to.include({ code, message, fix, status });
    expect(code).to.equal('state_mismatch');
  });

  it('is used once', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    const key = account.keys.test.publishable;
    const arrival = await browserOf(platform, account).arrive();
    await account.svcTest.call('auth.oauth.complete', arrival, { key });
    const again = await account.svcTest.refusal('auth.oauth.complete', arrival, { key });
    expect(again.code).to.equal('state_mismatch');
    expect(await platform.count('auth_session', `environment_id = x'${account.test.id.replaceAll('-', '')}'`)).to.equal(
      1,
    );
  });

  it('is used once by twenty completions at the same time on two nodes', async function () {
    this.timeout(60_000);
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    const key = account.keys.test.publishable;
    const node = await platform.secondNode();
    const arrival = await browserOf(platform, account).arrive();
    // The state alone decides, not the provider.
    oidc.takesCodesAgain = true;
    const post = (address: string): Promise<Response> =>
      fetch(`${address}/auth/oauth/complete`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify(arrival),
      });
    try {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          post(index % 2 === 0 ? platform.running.address : node.running.address),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
      expect(answers.filter(({ status }) => status === 400)).to.have.length(19);
    } finally {
      oidc.takesCodesAgain = false;
    }
    expect(await platform.count('auth_session', `environment_id = x'${account.test.id.replaceAll('-', '')}'`)).to.equal(
      1,
    );
  });

  it('is used up by a completion that the provider refuses', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    const key = account.keys.test.publishable;
    const arrival = await browserOf(platform, account).arrive();
    const wrong = await account.svcTest.refusal('auth.oauth.complete', { ...arrival, code: 'guessed' }, { key });
    expect(wrong).to.include({ code: 'provider_failed', status: 502 });
    const right = await account.svcTest.refusal('auth.oauth.complete', arrival, { key });
    expect(right.code).to.equal('state_mismatch');
    expect(await failures(platform, account.test)).to.deep.equal(['provider_failed']);
  });

  it('is valid for ten minutes', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    const key = account.keys.test.publishable;
    const browser = browserOf(platform, account);
    const [early, late] = [await browser.arrive(), await browser.arrive()];
    platform.clock.advance(minutes(10) - 1);
    expect((await account.svcTest.call('auth.oauth.complete', early, { key })).status).to.equal('complete');
    platform.clock.advance(1);
    const refused = await account.svcTest.refusal('auth.oauth.complete', late, { key });
    expect(refused).to.include({ code: 'challenge_expired', status: 410 });
    expect(refused.fix).to.contain('auth.oauth.start');
  });

  it('is stored as a digest, its browserToken too, and the code verifier sealed', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    const started = await browserOf(platform, account).start();
    const rows = await platform.running.services.database.rows<Record<string, unknown>>(
      'SELECT * FROM auth_oauth_state WHERE environment_id = UNHEX(?)',
      [account.test.id.replaceAll('-', '')],
    );
    const stored = JSON.stringify(rows, (_, value: unknown) =>
      typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer'
        ? Buffer.from(JSON.parse(JSON.stringify(value))).toString('latin1')
        : value,
    );
    expect(rows).to.have.length(1);
    expect(stored).not.to.contain(started.state);
    expect(stored).not.to.contain(started.browserToken);
    expect(rows[0]?.['code_verifier']).to.have.length(64 + 33);
  });

  it('is deleted a day after it expired', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    await browserOf(platform, account).start();
    const where = `environment_id = x'${account.test.id.replaceAll('-', '')}'`;
    const job = retentionJobs(platform.running.services)[0];
    await job?.run();
    expect(await platform.count('auth_oauth_state', where)).to.equal(1);
    platform.clock.advance(minutes(24 * 60 + 11));
    await job?.run();
    expect(await platform.count('auth_oauth_state', where)).to.equal(0);
  });
});
