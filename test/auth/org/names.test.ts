import { expect } from 'chai';
import { person } from '#test/auth/people.js';
import { useSignInMail } from '#test/auth/sign-in-mail.js';

describe('names that others read in mail', () => {
  const test = useSignInMail();
  const { platform } = test;
  const address = 'confirm at https://svc-login.example/verify';

  it('carry no web address: of users, organizations and passkeys', async () => {
    const account = await platform.account();
    const { svc } = account;
    const ada = await person(platform, account, 'ada');
    const { organization } = await ada.call('auth.org.create', { name: 'Acme' });
    const { user } = await svc.call('auth.user.create', { email: 'bob@example.com', name: 'Bob' });
    for (const [call, input] of [
      [ada, ['auth.me.update', { name: address }]],
      [ada, ['auth.org.create', { name: address }]],
      [ada, ['auth.org.update', { organizationId: organization.id, name: 'svc-login.example' }]],
      [svc, ['auth.user.create', { email: 'carl@example.com', name: address }]],
      [svc, ['auth.user.update', { userId: user.id, name: address }]],
    ] as const) {
      const [operation, given] = input;
      const refused = await call.refusal(operation, given);
      expect([operation, refused.code, refused.details['field']]).to.deep.equal([operation, 'invalid_input', 'name']);
    }
    await ada.call('auth.me.update', { name: 'Ada St. King e.V.' });
  });

  it('are shown without one where an import or an earlier version let it through', async () => {
    const account = await platform.account();
    const ada = await person(platform, account, 'ada');
    const { organization } = await ada.call('auth.org.create', { name: 'Acme' });
    await platform.running.services.database.run(`UPDATE auth_organization SET name = '${address}'`);
    await platform.running.services.database.run(`UPDATE auth_user SET name = 'www.evil.example'`);
    await ada.call('auth.org.update', { organizationId: organization.id, name: address, slug: 'acme-2' });
    await ada.call('auth.org.invite.create', { organizationId: organization.id, email: 'stranger@example.com' });
    const [mail] = await test.mailsTo('stranger@example.com');
    expect(mail?.parsed.subject).to.equal(
      'www. evil. example invited you to confirm at https svc-login. example/verify',
    );
    expect(mail?.parsed.text).to.not.contain('svc-login.example');
  });

  it('are invited by one person fifty times an hour, whichever organization they use', async () => {
    const account = await platform.account();
    const ada = await person(platform, account, 'ada');
    const ids: string[] = [];
    for (const name of ['One', 'Two']) ids.push((await ada.call('auth.org.create', { name })).organization.id);
    for (let count = 0; count < 50; count += 1)
      await ada.call('auth.org.invite.create', {
        organizationId: ids[count % 2] ?? '',
        email: `p${count}@example.com`,
      });
    const refused = await ada.refusal('auth.org.invite.create', {
      organizationId: ids[0] ?? '',
      email: 'x@example.com',
    });
    expect(refused).to.include({ status: 429, code: 'rate_limited' });
    expect(refused.message).to.contain('50 invitations per hour per user');
  });
});
