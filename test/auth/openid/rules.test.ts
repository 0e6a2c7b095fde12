import { expect } from 'chai';
import * as client from 'openid-client';
import { inside } from '#test/auth/pages/inside.js';
import { leadsTo, type Seen } from '#test/auth/pages/visitor.js';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { follow, leftOf, logoutUrl, newApp, redeem, relyingParty, startedBy } from './app.js';
import { codeOf } from './refusal.js';

describe('The rules of the OpenID provider', () => {
  const test = useSignInMail();
  const { platform } = test;
  const next = (seen: Seen): URL => new URL(leadsTo(seen) ?? seen.location ?? '', platform.running.address);

  it('asks for consent once in a session for an app that is not the owner’s', async () => {
    const account = await platform.account();
    const config = await relyingParty(test, account, await newApp(account, { firstParty: false }));
    const browser = await inside(test, account, 'ada@example.com');
    const refused = await follow(test, browser, (await startedBy(config)).url);
    if ('left' in refused) throw new Error('Nobody was asked.');
    expect(refused.text).to.contain('Grafana').and.contain('your email address').and.contain('grafana.example');
    const denied = leftOf(await follow(test, browser, next(await browser.post(refused.path, { do: 'deny' }))));
    expect(denied.searchParams.get('error')).to.equal('access_denied');
    const started = await startedBy(config);
    const asked = await follow(test, browser, started.url);
    if ('left' in asked) throw new Error('Nobody was asked.');
    const left = leftOf(await follow(test, browser, next(await browser.post(asked.path, { do: 'allow' }))));
    expect((await redeem(config, started, left)).access_token).to.be.a('string');
    expect('left' in (await follow(test, browser, (await startedBy(config)).url)), 'the second time').to.equal(true);
  });

  it('signs out of svc and the app, and returns to the app', async () => {
    const account = await platform.account();
    const config = await relyingParty(test, account, await newApp(account));
    const browser = await inside(test, account, 'bob@example.com');
    const started = await startedBy(config);
    const tokens = await redeem(config, started, leftOf(await follow(test, browser, started.url)));
    const url = client.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: logoutUrl,
      state: 'here',
    });
    const asked = await follow(test, browser, url);
    if ('left' in asked) throw new Error('Nobody was asked.');
    const xsrf = /name="xsrf" value="(\w+)"/.exec(asked.text)?.[1] ?? '';
    const answer = await browser.post(`/auth/${account.live.id}/oidc/logout/confirm`, { xsrf, logout: 'yes' });
    expect(answer.location).to.equal(`${logoutUrl}?state=here`);
    const sub = tokens.claims()?.sub ?? '';
    expect(await codeOf(client.fetchUserInfo(config, tokens.access_token, sub))).to.equal('invalid_token');
    const { sessions } = await account.svc.call('auth.session.list', { userId: sub });
    expect(sessions.every(({ endedAt }) => endedAt !== null)).to.equal(true);
  });

  it('takes no token, code or secret of another environment', async () => {
    const [account, other] = [await platform.account(), await platform.account()];
    const config = await relyingParty(test, account, await newApp(account));
    const theirs = await relyingParty(test, other, await newApp(other));
    const browser = await inside(test, account, 'eva@example.com');
    const started = await startedBy(config);
    const left = leftOf(await follow(test, browser, started.url));
    const moved = new URL(left.href.replaceAll(account.live.id, other.live.id));
    expect(await codeOf(redeem(theirs, started, moved))).to.equal('invalid_grant');
    const tokens = await redeem(config, started, left);
    const sub = tokens.claims()?.sub ?? '';
    expect(await codeOf(client.fetchUserInfo(theirs, tokens.access_token, sub))).to.equal('invalid_token');
  });

  it('rotates a secret with an overlap of 24 hours, and a removed app gets nothing', async () => {
    const account = await platform.account();
    const old = await newApp(account);
    const rotate = { apps: { grafana: { rotateSecret: true } } };
    const { appSecrets, settings } = await account.svc.call('auth.settings.set', rotate);
    expect(JSON.stringify(settings)).to.not.contain('svc_as_');
    const answerTo = async (secret: string | undefined): Promise<string | null> =>
      codeOf(client.refreshTokenGrant(await relyingParty(test, account, secret), 'unknown'));
    expect(await answerTo(old)).to.equal('invalid_grant');
    expect(await answerTo(appSecrets?.['grafana'])).to.equal('invalid_grant');
    platform.clock.advance(25 * 3_600_000);
    expect(await answerTo(old)).to.equal('invalid_client');
    expect(await answerTo(appSecrets?.['grafana'])).to.equal('invalid_grant');
    await account.svc.call('auth.settings.set', {
      apps: { grafana: null, other: { name: 'O', redirectUrls: [logoutUrl] } },
    });
    expect(await answerTo(appSecrets?.['grafana'])).to.equal('invalid_client');
  });

  it('goes on with the next key after a rotation, and forgets a person who is erased', async () => {
    const account = await platform.account();
    const config = await relyingParty(test, account, await newApp(account));
    const browser = await inside(test, account, 'ida@example.com');
    const started = await startedBy(config);
    const tokens = await redeem(config, started, leftOf(await follow(test, browser, started.url)));
    await account.svc.call('auth.signingKey.rotate', {});
    const again = await startedBy(config);
    const later = await redeem(config, again, leftOf(await follow(test, browser, again.url)));
    const userId = tokens.claims()?.sub ?? '';
    expect(later.claims()?.sub).to.equal(userId);
    await account.svc.call('auth.user.delete', { userId });
    expect(await codeOf(client.fetchUserInfo(config, later.access_token, userId))).to.equal('invalid_token');
  });

  it('refuses an impersonated session and a session without the required second factor', async () => {
    const account = await platform.account();
    const config = await relyingParty(test, account, await newApp(account));
    const browser = await inside(test, account, 'kim@example.com');
    await account.svc.call('auth.settings.set', { mfa: { required: true } });
    const stopped = await follow(test, browser, (await startedBy(config)).url);
    expect(stopped).to.have.property('path').that.contains('/account');
  });
});
