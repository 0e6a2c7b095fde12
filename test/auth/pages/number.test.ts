import { expect } from 'chai';
import { useSignInText } from '#test/auth/sign-in-text.js';
import { visitor } from './visitor.js';

describe('The hosted pages where texts can be sent', () => {
  const test = useSignInText();
  const { platform } = test;

  it('sign a person in by number, entered in the field for addresses', async () => {
    const account = await test.account();
    const page = `/auth/${account.live.id}/signin`;
    const browser = visitor(platform);
    const first = await browser.get(page);
    expect(first.text).to.contain('Email address or phone number').and.contain('Send me a code').and.contain('+1 202');
    const asked = await browser.submit(page, { do: 'code', email: '0049 1511/1116789' });
    expect(asked.text, 'as it was typed').to.contain('0049 1511/1116789').and.contain('one-time-code');
    const code = await test.textedCode('+4915111116789');
    const inside = await browser.submit(`${page}?step=code`, { do: 'verify', code });
    expect(inside.text).to.contain('Signed in as').and.contain('+4915111116789');
  });

  it('still take addresses there, and send a number a code whichever button was pressed', async () => {
    const account = await test.account();
    const page = `/auth/${account.live.id}/signin`;
    const byMail = visitor(platform);
    await byMail.submit(page, { do: 'code', email: 'ada7@example.com' });
    const inside = await byMail.submit(`${page}?step=code`, {
      do: 'verify',
      code: await test.codeTo('ada7@example.com'),
    });
    expect(inside.text).to.contain('ada7@example.com');
    const byLink = await visitor(platform).submit(page, { do: 'link', email: '+49 1512 2226789' });
    expect(byLink.text).to.contain('+49 1512 2226789').and.contain('one-time-code');
    expect(await test.textsTo('+4915122226789')).to.have.length(1);
  });

  it('say that a number without its country code cannot be used, and keep it', async () => {
    const account = await test.account();
    const page = `/auth/${account.live.id}/signin`;
    const refused = await visitor(platform).submit(page, { do: 'code', email: '0151 23456789' });
    expect(refused.status).to.equal(400);
    expect(refused.text)
      .to.contain('aria-invalid="true"')
      .and.contain('value="0151 23456789"')
      .and.contain('Enter the full phone number with its country code');
  });

  it('offer no password for a number, and no code for it by mail', async () => {
    const account = await test.account();
    const page = `/auth/${account.live.id}/signin`;
    const password = await visitor(platform).submit(page, { do: 'password', email: '+49 1513 3336789' });
    expect(password.text)
      .to.contain('type="password"')
      .and.not.contain('1513 3336789')
      .and.not.contain('15133336789')
      .and.not.contain('Forgot your password?');
  });

  it('ask for a number alone where everything else is off', async () => {
    const account = await test.account();
    const off = { enabled: false };
    const methods = { code: off, link: off, password: off, passkey: off };
    await account.svc.call('auth.settings.set', { methods });
    const { text } = await visitor(platform).get(`/auth/${account.live.id}/signin`);
    expect(text).to.contain('type="tel"').and.contain('Phone number').and.not.contain('Email address');
  });

  it('add a number on the account page', async () => {
    const account = await test.account();
    const root = `/auth/${account.live.id}`;
    const browser = visitor(platform);
    await browser.submit(`${root}/signin`, { do: 'code', email: 'grace7@example.com' });
    const inside = await browser.submit(`${root}/signin?step=code`, {
      do: 'verify',
      code: await test.codeTo('grace7@example.com'),
    });
    expect(inside.text).to.contain('Add a phone number');
    const asked = await browser.submit(`${root}/account`, { do: 'add-number', phone: '+49 1514 4446789' });
    const [, challengeId = ''] = /name="challengeId" value="([^"]+)"/.exec(asked.text) ?? [];
    const code = await test.textedCode('+4915144446789');
    const added = await browser.submit(`${root}/account`, { do: 'verify-address', challengeId, code });
    expect(added.status).to.equal(200);
    expect(added.text).to.contain('+4915144446789');
  });
});
