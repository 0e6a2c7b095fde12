import { expect } from 'chai';
import * as client from 'openid-client';
import { inside } from '#test/auth/pages/inside.js';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { join, organizationOf, person } from '#test/auth/people.js';
import { follow, leftOf, newApp, redeem, relyingParty, startedBy } from './app.js';
import { codeOf } from './refusal.js';

describe('Who may sign in to an app, and what it gets', () => {
  const test = useSignInMail();
  const { platform } = test;

  it('members with the role only, who lose access with the role', async () => {
    const account = await platform.account();
    const owner = await person(platform, account, 'grace');
    const { id } = await organizationOf(owner);
    const config = await relyingParty(test, account, await newApp(account));
    await account.svc.call('auth.settings.set', {
      apps: { grafana: { organizations: [id], minimumRole: 'admin' } },
    });
    const browser = await inside(test, account, 'ada@example.com');
    const refused = leftOf(await follow(test, browser, (await startedBy(config)).url));
    expect(refused.searchParams.get('error')).to.equal('access_denied');
    expect(refused.searchParams.get('error_description')).to.contain('Grafana');

    const { user } = await account.svc.call('auth.user.get', { email: 'ada@example.com' });
    await join(platform, id, { ...owner, userId: user.id });
    const asMember = leftOf(await follow(test, browser, (await startedBy(config)).url));
    expect(asMember.searchParams.get('error'), 'the role is too low').to.equal('access_denied');
    await account.svc.call('auth.settings.set', { apps: { grafana: { minimumRole: 'member' } } });
    const started = await startedBy(config);
    const tokens = await redeem(config, started, leftOf(await follow(test, browser, started.url)));
    expect(await client.fetchUserInfo(config, tokens.access_token, user.id)).to.include({ sub: user.id });
    await account.svc.call('auth.settings.set', { apps: { grafana: { minimumRole: 'owner' } } });
    expect(await codeOf(client.fetchUserInfo(config, tokens.access_token, user.id))).to.equal('invalid_token');
  });

  it('only the scopes of the app, and tokens with its lifetime', async () => {
    const account = await platform.account();
    const config = await relyingParty(test, account, await newApp(account));
    await account.svc.call('auth.settings.set', {
      apps: { grafana: { scopes: ['email'], accessTokenSeconds: 600 } },
    });
    const browser = await inside(test, account, 'bob@example.com');
    const denied = leftOf(await follow(test, browser, (await startedBy(config)).url));
    expect(denied.searchParams.get('error')).to.equal('invalid_scope');
    const started = await startedBy(config, { scope: 'openid email' });
    const tokens = await redeem(config, started, leftOf(await follow(test, browser, started.url)));
    expect(tokens.expires_in).to.equal(600);
  });

  it('lists the users of an app, who leave the list when they disconnect it', async () => {
    const account = await platform.account();
    const config = await relyingParty(test, account, await newApp(account));
    await account.svc.call('auth.user.create', { email: 'nobody@example.com' });
    const listed = async (filter: object = {}): Promise<(string | null)[]> =>
      (await account.svc.call('auth.user.list', { appId: 'grafana', ...filter })).users.map(({ email }) => email);
    expect(await listed()).to.deep.equal([]);
    const browsers = [
      await inside(test, account, 'dora@example.com'),
      await inside(test, account, 'dora@example.com', 2),
      await inside(test, account, 'eve@example.com'),
    ];
    for (const browser of browsers) {
      const started = await startedBy(config);
      await redeem(config, started, leftOf(await follow(test, browser, started.url)));
    }
    expect(await listed(), 'each once, newest first').to.deep.equal(['eve@example.com', 'dora@example.com']);
    expect(await listed({ query: 'dora' })).to.deep.equal(['dora@example.com']);
    expect(await listed({ banned: false, limit: 1 })).to.deep.equal(['eve@example.com']);
    const first = await account.svc.call('auth.user.list', { appId: 'grafana', limit: 1 });
    expect(await listed({ before: first.nextBefore ?? '' })).to.deep.equal(['dora@example.com']);
    await account.svc.call('auth.settings.set', { apps: { grafana: null } });
    await account.svc.call('auth.settings.set', {
      apps: { grafana: { name: 'Grafana', redirectUrls: ['https://new.example.com/callback'] } },
    });
    expect(await listed(), 'of the app that was removed').to.deep.equal([]);
  });

  it('refuses an organization that the environment does not have', async () => {
    const [account, other] = [await platform.account(), await platform.account()];
    const { id } = await organizationOf(await person(platform, other, 'olga'));
    await newApp(account);
    const refused = await account.svc.call('auth.settings.set', { apps: { grafana: { organizations: [id] } } }).then(
      () => null,
      (error: unknown) => String(error),
    );
    expect(refused).to.contain('organizations');
  });
});
