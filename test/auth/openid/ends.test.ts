import { expect } from 'chai';
import * as client from 'openid-client';
import { inside, accountPage } from '#test/auth/pages/inside.js';
import { visitor, type Visitor } from '#test/auth/pages/visitor.js';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import type { TestAccount } from '#test/support/platform.js';
import { follow, leftOf, logoutUrl, newApp, redeem, relyingParty, startedBy } from './app.js';
import { codeOf } from './refusal.js';

describe('When the tokens of an app end', () => {
  const test = useSignInMail();
  const { platform } = test;

  /** An app with a refresh token, in the session of a browser. */
  async function withTokens(account: TestAccount, browser: Visitor, config: client.Configuration) {
    const started = await startedBy(config, { scope: 'openid email offline_access', prompt: 'consent' });
    const asked = await follow(test, browser, started.url);
    if ('left' in asked) throw new Error('Nobody was asked.');
    const answer = await browser.post(asked.path, { do: 'allow' });
    const next = /url=(\S+)$/.exec(answer.headers.get('Refresh') ?? '')?.[1] ?? '';
    const left = leftOf(await follow(test, browser, new URL(next, platform.running.address)));
    const tokens = await redeem(config, started, left);
    expect(tokens.refresh_token, account.live.id).to.be.a('string');
    return tokens;
  }
  type Tokens = Awaited<ReturnType<typeof withTokens>>;
  const ended = async (config: client.Configuration, tokens: Tokens): Promise<(string | null)[]> => [
    await codeOf(client.refreshTokenGrant(config, tokens.refresh_token ?? '')),
    await codeOf(client.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? '')),
  ];

  it('a person is deleted', async () => {
    const account = await platform.account();
    const config = await relyingParty(test, account, await newApp(account));
    const tokens = await withTokens(account, await inside(test, account, 'ada@example.com'), config);
    const userId = tokens.claims()?.sub ?? '';
    await account.svc.call('auth.user.delete', { userId });
    expect(await ended(config, tokens)).to.deep.equal(['invalid_grant', 'invalid_token']);
    await platform.settled();
    const rows = `user_id = UNHEX('${userId.replaceAll('-', '')}')`;
    expect(await platform.count('auth_openid_record', rows)).to.equal(0);
  });

  it('a password is changed: in other sessions, and in the one that changes it', async () => {
    const account = await platform.account();
    const config = await relyingParty(test, account, await newApp(account));
    const [here, there] = [
      await inside(test, account, 'bob@example.com'),
      await inside(test, account, 'bob@example.com', 2),
    ];
    const [own, other] = [await withTokens(account, here, config), await withTokens(account, there, config)];
    const page = accountPage(account);
    await here.get(page);
    const changed = await here.submit(page, { do: 'set-password', password: 'correct horse battery staple' });
    expect(changed.status, changed.text).to.equal(200);
    expect(await ended(config, other), 'other session').to.deep.equal(['invalid_grant', 'invalid_token']);
    expect(await ended(config, own), 'own session').to.deep.equal(['invalid_grant', 'invalid_token']);
    // The session itself continues, so the app gets new ones without a page.
    const again = await startedBy(config);
    expect((await redeem(config, again, leftOf(await follow(test, here, again.url)))).access_token).to.be.a('string');
  });

  it('an app is removed, also if it is added again, and if it was the only one', async () => {
    const account = await platform.account();
    const config = await relyingParty(test, account, await newApp(account));
    const browser = await inside(test, account, 'eva@example.com');
    const tokens = await withTokens(account, browser, config);
    await account.svc.call('auth.settings.set', {
      apps: { grafana: null, other: { name: 'O', redirectUrls: [logoutUrl] } },
    });
    expect(await ended(config, tokens)).to.deep.equal(['invalid_client', 'invalid_token']);
    const added = await relyingParty(test, account, await newApp(account));
    expect(await ended(added, tokens), 'added again').to.deep.equal(['invalid_grant', 'invalid_token']);
    const later = await withTokens(account, browser, added);
    // A reset removes all apps.
    await account.svc.call('auth.settings.reset', {});
    const third = await relyingParty(test, account, await newApp(account));
    expect(await ended(third, later), 'after a reset').to.deep.equal(['invalid_grant', 'invalid_token']);
    expect((await withTokens(account, browser, third)).access_token).to.be.a('string');
  });

  it('the person disconnects it on the account page, which shows the apps of live sessions', async () => {
    const account = await platform.account();
    const hostile = '<b>Wiki</b>';
    const config = await relyingParty(test, account, await newApp(account));
    await account.svc.call('auth.settings.set', { apps: { wiki: { name: hostile, redirectUrls: [logoutUrl] } } });
    const browser = await inside(test, account, 'ida@example.com');
    const page = accountPage(account);
    expect((await browser.get(page)).text).not.to.contain('Apps that use this account');
    const tokens = await withTokens(account, browser, config);
    const shown = await browser.get(page);
    expect(shown.text).to.contain('Apps that use this account').and.contain('<bdi>Grafana</bdi>');
    expect(shown.text, 'an app that was not used').not.to.contain('Wiki');
    const asked = await browser.open(`${page}?confirm=disconnect-app&id=grafana`);
    expect(asked.text).to.contain('Disconnect Grafana?');
    const done = await browser.submit(`${page}?confirm=disconnect-app&id=grafana`, {
      do: 'disconnect-app',
      appId: 'grafana',
    });
    expect(done.text).to.contain('Disconnected.').and.not.contain('Apps that use this account');
    expect(await ended(config, tokens)).to.deep.equal(['invalid_grant', 'invalid_token']);
    const { activities } = await account.svc.call('account.activity.list', { limit: 100 });
    const [ending] = activities.filter(({ summary }) => summary === 'Ended the tokens of an app.');
    expect(ending?.changes).to.deep.equal([{ field: 'app', from: 'grafana', to: null }]);
    // An app that has nothing more: nothing changes, and the session continues.
    const again = await browser.submit(page, { do: 'disconnect-app', appId: 'grafana' });
    expect(again.text).to.contain('Disconnected.').and.contain('ida@example.com');
  });

  it('two requests that sign in to an app at once leave one event and one audit record', async () => {
    const account = await platform.account();
    const config = await relyingParty(test, account, await newApp(account));
    const browser = await inside(test, account, 'max@example.com');
    // Two windows with the same session.
    const windows = [visitor(platform), visitor(platform), visitor(platform)];
    for (const window of windows) for (const [name, value] of browser.cookies) window.keep(name, value);
    const lefts = await Promise.all(
      windows.map(async (window) => leftOf(await follow(test, window, (await startedBy(config)).url))),
    );
    for (const left of lefts) expect(left.searchParams.get('code')).to.be.a('string');
    const { activities } = await account.svc.call('account.activity.list', { limit: 100 });
    const signIns = activities.filter(({ summary }) => summary === 'Signed in to Grafana.');
    expect(signIns).to.have.length(1);
    const { events } = await account.svc.call('developers.event.list', { types: ['auth.session.exchanged'] });
    expect(events.map(({ activityId }) => activityId)).to.deep.equal(signIns.map(({ id }) => id));
  });

  it('nobody signs in to an app as somebody else: an impersonated session is refused', async () => {
    const account = await platform.account();
    const config = await relyingParty(test, account, await newApp(account));
    await inside(test, account, 'kim@example.com');
    const { user } = await account.svc.call('auth.user.get', { email: 'kim@example.com' });
    const reason = 'Ticket 1815: the invoice page is empty.';
    const { tokens } = await account.svc.call('auth.user.impersonate', { userId: user.id, reason });
    const browser = visitor(platform);
    browser.keep(`svc_access_${account.live.id}`, tokens.accessToken);
    expect((await browser.open(accountPage(account))).text, 'the session works').to.contain('kim@example.com');
    const left = leftOf(await follow(test, browser, (await startedBy(config)).url));
    expect(left.searchParams.get('error')).to.equal('access_denied');
    const silent = leftOf(await follow(test, browser, (await startedBy(config, { prompt: 'none' })).url));
    expect(silent.searchParams.get('code')).to.equal(null);
    const rows = `environment_id = UNHEX('${account.live.id.replaceAll('-', '')}') AND app_id IS NOT NULL`;
    expect(await platform.count('auth_openid_record', rows)).to.equal(0);
  });
});
