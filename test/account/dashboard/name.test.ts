import { expect } from 'chai';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { at } from '#test/support/json.js';
import { usePlatform, type TestPlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { dashboardOf, dashboardSession, operatorOf } from './support.js';

async function publishableKeyOf(platform: TestPlatform): Promise<string> {
  const { text } = await platform.api.raw('/openapi.json', undefined, { method: 'GET' });
  return String(at(JSON.parse(text), 'x-svc-dashboard', 'publishableKey'));
}

/** What members see of the deployment’s name: the title of the sign-in page, and the entry of an authenticator app. */
async function shownBy(platform: TestPlatform): Promise<{ title: string | undefined; issuer: string | null }> {
  const { id } = await dashboardOf(platform);
  const page = await platform.api.raw(`/auth/${id}/signin`, undefined, { method: 'GET' });
  const key = await publishableKeyOf(platform);
  const { accessToken } = await dashboardSession(platform, 'member@example.com');
  const { otpauthUrl } = await platform.api.call('auth.factor.totp.enroll', { accessToken }, { key });
  const title = /<title>([^<]*)<\/title>/.exec(page.text)?.[1];
  return { title, issuer: new URL(otpauthUrl).searchParams.get('issuer') };
}

describe('The name that members know a deployment by', () => {
  needProducts('auth');
  const test = useSignInMail();
  const { platform } = test;

  it('is that of the operator’s account, on pages, in mails and in authenticator apps', async () => {
    const operator = await operatorOf(platform);
    await operator.call('account.update', { name: 'Acme Messaging' });
    const shown = await shownBy(platform);
    expect(shown.title).to.contain('Acme Messaging');
    expect(shown.issuer).to.equal('Acme Messaging');
    const key = await publishableKeyOf(platform);
    await platform.api.call('auth.signin.start', { method: 'code', email: 'owner@mail.localhost' }, { key });
    const [mail] = await test.mailsTo('owner@mail.localhost', 1);
    expect(JSON.stringify(mail)).to.contain('Acme Messaging').and.not.contain('Dashboard');
  });

  it('does not change what the users of a project see', async () => {
    const account = await platform.account();
    const { theme } = await test.app(account).call('auth.signin.methods', {});
    const { project } = await account.svc.call('developers.key.current', {});
    expect(theme.brandName).to.equal(project.name);
  });
});

describe('The name of a deployment with SVC_NAME', () => {
  needProducts('auth');
  const platform = usePlatform({ settings: () => ({ SVC_NAME: 'Post & Pulse' }) });

  it('is the setting', async () => {
    const shown = await shownBy(platform);
    expect(shown.title).to.contain('Post &amp; Pulse');
    expect(shown.issuer).to.equal('Post & Pulse');
  });
});
