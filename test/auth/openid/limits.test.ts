import { expect } from 'chai';
import * as client from 'openid-client';
import { sha256 } from '#core/runtime/secrets/digest.js';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { openConnection, postHead } from '#test/support/raw-http.js';
import { newApp, redirectUrl, relyingParty } from './app.js';

describe('The limits of the OpenID provider', () => {
  const test = useSignInMail();
  const { platform } = test;
  const post = (account: TestAccount, path: string, body: string, headers: Record<string, string> = {}) =>
    fetch(new URL(`/auth/${account.live.id}/oidc/${path}`, platform.running.address), {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      body,
    });
  const refresh = 'grant_type=refresh_token&refresh_token=unknown';
  /** Makes an app's window as full as it can be. */
  async function useUp(account: TestAccount, app: string): Promise<void> {
    const key = `auth.openid.call:${account.live.id}:127.0.0.1:${app}`;
    const { affectedRows } = await platform.running.services.transaction('test', ({ db }) =>
      db.run('UPDATE svc_limit SET hits = 600 WHERE id = ?', [sha256(key)]),
    );
    expect(affectedRows, app).to.equal(1);
  }

  it('are counted by app and address: one app that has used them up does not stop another', async () => {
    const account = await platform.account();
    const secrets = { grafana: await newApp(account), wiki: await newApp(account, {}, 'wiki') };
    const asBasic = (id: keyof typeof secrets): Record<string, string> => ({
      Authorization: `Basic ${Buffer.from(`${id}:${secrets[id] ?? ''}`).toString('base64')}`,
    });
    expect((await post(account, 'token', refresh, asBasic('grafana'))).status).to.equal(400);
    await useUp(account, 'grafana');
    for (const path of ['token', 'revoke', 'par']) {
      const refused = await post(account, path, refresh, asBasic('grafana'));
      expect(refused.status, path).to.equal(429);
      expect(Number(refused.headers.get('Retry-After')), path).to.be.within(1, 60);
      expect(await refused.text()).to.contain('600 requests a minute per app and IP address');
    }
    // The same app by its form, in which the id is sent too.
    expect((await post(account, 'token', `${refresh}&client_id=grafana`)).status).to.equal(429);
    expect((await post(account, 'token', refresh, asBasic('wiki'))).status).to.equal(400);
    platform.clock.advance(61_000);
    expect((await post(account, 'token', refresh, asBasic('grafana'))).status).to.equal(400);
  });

  it('count requests with only a token, and of unknown apps, together', async () => {
    const account = await platform.account();
    await newApp(account);
    const userinfo = (): Promise<Response> => post(account, 'userinfo', 'access_token=unknown');
    expect((await userinfo()).status).to.equal(401);
    await useUp(account, '');
    expect((await userinfo()).status).to.equal(429);
    for (const id of ['unknown', '__proto__', 'toString'])
      expect((await post(account, 'token', `${refresh}&client_id=${id}`)).status, id).to.equal(429);
    expect((await post(account, 'token', `${refresh}&client_id=grafana`)).status).to.equal(401);
  });

  it('read bodies as svc reads all bodies: 64 KiB at most, and only while an app may ask', async () => {
    const account = await platform.account();
    const config = await relyingParty(test, account, await newApp(account));
    const large = await post(account, 'token', `${refresh}&x=${'x'.repeat(64 * 1024)}`);
    expect(large.status).to.equal(413);
    expect(await large.text()).to.contain('body_too_large');
    // Other types are refused by the library, which has the body.
    const json = await post(account, 'token', '{}', { 'Content-Type': 'application/json' });
    expect([json.status, await json.text()].join(' '))
      .to.contain('400')
      .and.contain('invalid_request');
    const pushed = await client.buildAuthorizationUrlWithPAR(config, {
      redirect_uri: redirectUrl,
      scope: 'openid',
      code_challenge: await client.calculatePKCECodeChallenge(client.randomPKCECodeVerifier()),
      code_challenge_method: 'S256',
    });
    expect(pushed.searchParams.get('request_uri')).to.match(/^urn:/);
  });
});

describe('A body that does not arrive at the OpenID provider', () => {
  const platform = usePlatform({ boot: { arrivalMs: 200 } });

  it('is given up after the time of all bodies', async () => {
    const account = await platform.account();
    await newApp(account);
    const connection = await openConnection(platform.running.address);
    const type = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': 100 };
    connection.write(`${postHead(`/auth/${account.live.id}/oidc/token`, type)}grant_type=`);
    const { status, body } = await connection.answer();
    expect(status).to.equal(408);
    expect(body).to.contain('request_timeout');
    connection.socket.destroy();
  });
});
