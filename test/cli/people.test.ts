import { expect } from 'chai';
import { signedIn } from '#test/auth/support.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { catalogue } from '#core/surfaces/cli/command-catalogue.gen.js';
import { finderOf } from '#core/surfaces/cli/command-catalogue.js';
import { resultOf, runSvc, type Ran } from './support.js';

describe('svc: people by their address', function () {
  this.timeout(60_000);
  const platform = usePlatform();
  const state: { account?: TestAccount } = {};
  before(async () => (state.account = await platform.account()));
  const account = (): TestAccount => {
    if (!state.account) throw new Error('There is no account yet.');
    return state.account;
  };
  const svc = (...words: string[]): Promise<Ran> =>
    runSvc([...words, '--base-url', platform.running.address], { key: account().keys.live.secret });
  const changed = async (ran: Promise<Ran>): Promise<Record<string, unknown>> => {
    const { code, stdout, stderr } = await ran;
    expect(code, stderr).to.equal(0);
    return resultOf(stdout);
  };

  itNeeding('audience')('shows, changes and erases a contact by address, number or external id', async () => {
    const email = 'ada@example.org';
    const phone = '+4915123456789';
    const { contact } = await account().svc.call('audience.contact.upsert', { email, phone, externalId: 'ada-1' });
    for (const name of [email, 'ADA@example.org', '+49 1512 3456789', 'ada-1', contact.id])
      expect(await changed(svc('audience', 'contact', 'get', name)), name).to.have.nested.property(
        'contact.id',
        contact.id,
      );
    const updated = await changed(svc('audience', 'contact', 'update', email, '--first-name', 'Ada'));
    expect(updated).to.have.nested.property('contact.firstName', 'Ada');
    const consents = await changed(svc('audience', 'consent', 'list', '--contact-id', email));
    expect(consents).to.deep.include({ consents: [] });
    const unknown = await svc('audience', 'contact', 'update', 'nobody@example.org', '--first-name', 'Ada');
    expect([unknown.code, unknown.stderr]).to.deep.equal([
      4,
      'There is no contact “nobody@example.org” in this environment.\nfix: Pass the id, the email, the phone or the external id of one that `svc audience contact list` shows.\n',
    ]);
    expect((await svc('audience', 'contact', 'get', 'nobody@example.org')).code).to.equal(4);
    const deleted = await changed(svc('audience', 'contact', 'delete', email, '--yes'));
    expect(deleted).to.include({ contactId: contact.id });
  });

  itNeeding('auth')('shows, bans and signs out a user by address', async () => {
    const { userId } = await signedIn(platform, account().live, { email: 'grace@example.org' });
    const shown = await changed(svc('auth', 'user', 'get', 'grace@example.org'));
    expect(shown).to.have.nested.property('user.id', userId);
    const sessions = await changed(svc('auth', 'session', 'list', 'grace@example.org'));
    expect(sessions).to.have.property('sessions').with.lengthOf(1);
    await changed(svc('auth', 'session', 'revoke', '--user-id', 'grace@example.org', '--yes'));
    const banned = await changed(svc('auth', 'user', 'ban', 'grace@example.org', '--reason', 'spam', '--yes'));
    expect(banned).to.have.nested.property('user.banReason', 'spam');
  });

  it('takes the name of a project in place of its id', async () => {
    const { projects } = await account().svc.call('account.get', {});
    const name = projects[0]?.name.toUpperCase() ?? '';
    const renamed = await changed(svc('account', 'project', 'update', '--project-id', name, '--name', 'Store'));
    expect(renamed).to.have.nested.property('project.name', 'Store');
  });

  it('knows a finder for every operation that takes a contact, a user or a project', () => {
    const missing = catalogue.operations.flatMap(({ name, input }) =>
      ['contactId', 'userId', 'projectId', 'domainId', 'segmentId'].flatMap((field) =>
        input[field]?.format === 'uuid' && !finderOf(field, catalogue) ? [`${name} ${field}`] : [],
      ),
    );
    expect(missing).to.deep.equal([]);
  });
});
