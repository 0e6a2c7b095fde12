import { expect } from 'chai';
import { minutes } from '#test/support/clock.js';
import { visitProvider } from '#test/support/oidc-provider.js';
import { accountWith, browserOf, locationOf, openPage, redirectTo, useOidc } from './support.js';

describe('The callback page of a provider', () => {
  const env = useOidc();

  it('passes code, state and issuer on to redirectTo with 303, beside what was there', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    const started = await browserOf(platform, account).start({ redirectTo: `${redirectTo}?tab=2&code=own` });
    const back = await visitProvider(started.authorizationUrl);
    back.searchParams.set('extra', 'kept here');
    const answer = await openPage(platform, back);
    expect(answer.headers.get('referrer-policy')).to.equal('no-referrer');
    expect(answer.headers.get('cache-control')).to.equal('no-store');
    const { origin, pathname, searchParams } = locationOf(answer);
    expect(origin + pathname).to.equal(redirectTo);
    expect(Object.fromEntries(searchParams)).to.deep.equal({
      tab: '2',
      code: back.searchParams.get('code'),
      state: started.state,
      iss: oidc.issuer,
    });
    expect(searchParams.getAll('code')).to.have.length(1);
  });

  it('passes an error on: the person refused, or the provider failed', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    const { state } = await browserOf(platform, account).start();
    const back = new URL(`http://svc/auth/${account.test.id}/callback/corp`);
    back.search = new URLSearchParams({ state, error: 'access_denied', error_description: 'No, thanks' }).toString();
    const { searchParams } = locationOf(await openPage(platform, back));
    expect(Object.fromEntries(searchParams)).to.deep.equal({
      state,
      error: 'access_denied',
      error_description: 'No, thanks',
    });
  });

  it('answers a refused post with a redirect too, so that loading the page again posts nothing', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    const url = new URL(`http://svc/auth/${account.test.id}/callback/corp`);
    const body = new URLSearchParams({ code: 'c', state: 'unknown' });
    const posted = await openPage(platform, url, { method: 'POST', body });
    expect(posted.status).to.equal(303);
    const shown = await openPage(platform, new URL(posted.headers.get('location') ?? '', url));
    expect(shown.status).to.equal(400);
    expect(shown.text).to.contain('This sign-in wasn’t started in this browser');
  });

  it('sends nobody anywhere for a state that is unknown, of another provider or environment, or expired', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc);
    const other = await accountWith(platform, oidc);
    const { state } = await browserOf(platform, account).start();
    const statusOf = async (environmentId: string, provider: string, given: string): Promise<number> => {
      const url = new URL(`http://svc/auth/${environmentId}/callback/${provider}?code=c&state=${given}`);
      const { status, headers } = await openPage(platform, url);
      expect(headers.get('location')).to.equal(status === 303 ? `${redirectTo}?state=${given}&code=c` : null);
      return status;
    };
    expect(await statusOf(account.test.id, 'corp', 'unknown')).to.equal(400);
    expect(await statusOf(account.test.id, 'google', state)).to.equal(400);
    expect(await statusOf(other.test.id, 'corp', state)).to.equal(400);
    expect(await statusOf('nobody', 'corp', state)).to.equal(404);
    expect(await statusOf(account.test.id, 'corp', state)).to.equal(303);
    platform.clock.advance(minutes(10));
    expect(await statusOf(account.test.id, 'corp', state)).to.equal(410);
  });

  it('tells a person in their language that no sign-in was started, and leads to the sign-in page', async () => {
    const account = await accountWith(env.platform, env.oidc);
    const url = new URL(`http://svc/auth/${account.test.id}/callback/corp?code=abc&state=zzz`);
    const texts = { en: 'wasn’t started in this browser', de: 'nicht in diesem Browser begonnen' };
    for (const [language, said] of Object.entries(texts)) {
      const { status, text } = await openPage(env.platform, url, { headers: { 'Accept-Language': language } });
      expect(status).to.equal(400);
      expect(text)
        .to.contain(said)
        .and.contain(`href="/auth/${account.test.id}/signin"`)
        .and.not.contain('auth.oauth.start');
    }
  });
});
