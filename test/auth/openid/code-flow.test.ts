import { expect } from 'chai';
import * as client from 'openid-client';
import { inside } from '#test/auth/pages/inside.js';
import { visitor } from '#test/auth/pages/visitor.js';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { codeOf } from './refusal.js';
import { follow, issuerOf, leftOf, newApp, redeem, redirectUrl, relyingParty, startedBy } from './app.js';

describe('Signing in to an app by OpenID Connect', () => {
  const test = useSignInMail();
  const { platform } = test;

  it('is off in an environment without apps', async () => {
    const account = await platform.account();
    const answer = await fetch(
      new URL(`${issuerOf(test, account).pathname}/.well-known/openid-configuration`, platform.running.address),
    );
    expect(answer.status).to.equal(404);
  });

  it('leads a stranger through the sign-in page to the app, which gets the claims of its scopes', async () => {
    const account = await platform.account();
    const config = await relyingParty(test, account, await newApp(account));
    expect(config.serverMetadata().issuer).to.equal(issuerOf(test, account).href);
    const started = await startedBy(config);
    const browser = visitor(platform);
    const stopped = await follow(test, browser, started.url);
    if ('left' in stopped) throw new Error('Nobody has signed in.');
    expect(stopped.path).to.contain('/signin?next=');
    await browser.submit(stopped.path, { do: 'code', email: 'ada@example.com' });
    const code = await test.codeTo('ada@example.com', 1);
    const seen = await browser.submit(`/auth/${account.live.id}/signin?step=code`, { do: 'verify', code });
    const left = leftOf(await follow(test, browser, new URL(seen.path, platform.running.address)));
    expect(left.href.startsWith(`${redirectUrl}?`)).to.equal(true);
    const tokens = await redeem(config, started, left);
    const { user } = await account.svc.call('auth.user.get', { email: 'ada@example.com' });
    const { sub } = tokens.claims() ?? {};
    expect(sub).to.equal(user.id);
    const info = await client.fetchUserInfo(config, tokens.access_token, user.id);
    expect(info).to.include({ sub: user.id, email: 'ada@example.com', email_verified: true });
    expect(info['groups']).to.deep.equal([]);
    const { events } = await account.svc.call('developers.event.list', { types: ['auth.session.exchanged'] });
    expect(events.map(({ data }) => data)).to.have.length(1);
  });

  it('needs no page if the person is signed in, and ends with the session', async () => {
    const account = await platform.account();
    const config = await relyingParty(test, account, await newApp(account));
    const browser = await inside(test, account, 'eve@example.com');
    const started = await startedBy(config, { scope: 'openid email offline_access', prompt: 'consent' });
    const stopped = await follow(test, browser, started.url);
    if ('left' in stopped) throw new Error('Consent was asked for.');
    const answer = await browser.post(stopped.path, { do: 'allow' });
    const left = leftOf(
      await follow(
        test,
        browser,
        new URL(/url=(\S+)$/.exec(answer.headers.get('Refresh') ?? '')?.[1] ?? '', platform.running.address),
      ),
    );
    const tokens = await redeem(config, started, left);
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    const { user } = await account.svc.call('auth.user.get', { email: 'eve@example.com' });
    expect(await client.fetchUserInfo(config, refreshed.access_token, user.id)).to.include({ sub: user.id });
    const silent = await startedBy(config, { prompt: 'none' });
    expect(leftOf(await follow(test, browser, silent.url)).searchParams.get('code')).to.be.a('string');
    await account.svc.call('auth.session.revoke', { userId: user.id });
    expect(await codeOf(client.fetchUserInfo(config, refreshed.access_token, user.id))).to.equal('invalid_token');
    expect(await codeOf(client.refreshTokenGrant(config, refreshed.refresh_token ?? ''))).to.equal('invalid_grant');
    const after = await startedBy(config, { prompt: 'none' });
    expect(leftOf(await follow(test, browser, after.url)).searchParams.get('error')).to.equal('login_required');
  });

  it('gives tokens for a code once, also to two requests at the same time', async () => {
    const account = await platform.account();
    const config = await relyingParty(test, account, await newApp(account));
    const browser = await inside(test, account, 'joe@example.com');
    const started = await startedBy(config);
    const left = leftOf(await follow(test, browser, started.url));
    const both = await Promise.allSettled([redeem(config, started, left), redeem(config, started, left)]);
    expect(both.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    expect(await codeOf(redeem(config, started, left))).to.equal('invalid_grant');
  });

  it('requires PKCE, the exact redirect URL and the secret', async () => {
    const account = await platform.account();
    const config = await relyingParty(test, account, await newApp(account));
    const browser = await inside(test, account, 'max@example.com');
    const plain = client.buildAuthorizationUrl(config, { redirect_uri: redirectUrl, scope: 'openid', state: 'a' });
    expect(leftOf(await follow(test, browser, plain)).searchParams.get('error')).to.equal('invalid_request');
    const elsewhere = await startedBy(config, { redirect_uri: `${redirectUrl}/x` });
    expect(await follow(test, browser, elsewhere.url)).to.include({ status: 400 });
    const started = await startedBy(config);
    const left = leftOf(await follow(test, browser, started.url));
    const wrong = await relyingParty(test, account, 'svc_as_wrong');
    expect(await codeOf(redeem(wrong, started, left))).to.equal('invalid_client');
    const withoutVerifier = { ...started, verifier: client.randomPKCECodeVerifier() };
    expect(await codeOf(redeem(config, withoutVerifier, left))).to.equal('invalid_grant');
  });
});
