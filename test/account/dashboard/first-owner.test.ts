import { expect } from 'chai';
import { announced } from '#test/config/announced.js';
import { addMember } from '#test/account/support.js';
import { usePlatform, type TestPlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { dashboardOf, dashboardSession, inEnvironment, operatorOf, withSession } from './support.js';

const mailServer = 'smtp://127.0.0.1:9';
const byDefault = 'owner@mail.localhost';
const owners = async (platform: TestPlatform): Promise<string[]> => {
  const { members } = await (await operatorOf(platform)).call('account.member.list', {});
  return members.filter(({ role }) => role === 'owner').map(({ email }) => email);
};
/** What the start said about owners. */
const said = (platform: TestPlatform): string[] => announced(platform.running).filter((line) => /owner/.test(line));

describe('The first owner, with the default address', () => {
  needProducts('auth', 'email');
  const platform = usePlatform();

  it('does not matter if no mail is sent', () => {
    expect(said(platform)).to.deep.equal([]);
  });

  it('is named at each start where mail leaves, with the setting and what to do', async () => {
    await platform.restart({ SVC_SMTP_URL: mailServer });
    expect(said(platform)).to.have.length(1);
    expect(said(platform)[0])
      .to.match(/^ {2}warning /)
      .and.contain(`the address is ${byDefault}`)
      .and.contain('Set SVC_OWNER_EMAIL');
  });

  it('gets the address of SVC_OWNER_EMAIL at the next start: in the account, in the dashboard and in the audit log', async () => {
    const before = withSession(platform, await dashboardSession(platform, byDefault));
    const first = await operatorOf(platform);
    const here = inEnvironment((await first.call('developers.key.current', {})).environment);
    expect((await before.call('developers.key.current', {}, here)).member?.email).to.equal(byDefault);
    await platform.restart({ SVC_SMTP_URL: mailServer, SVC_OWNER_EMAIL: 'Ada@example.com' });
    expect(said(platform).join())
      .to.match(/^ {2}owner /)
      .and.contain('Ada@example.com');
    expect(await owners(platform)).to.deep.equal(['Ada@example.com']);
    const now = withSession(platform, await dashboardSession(platform, 'ada@example.com'));
    expect((await now.call('developers.key.current', {}, here)).member).to.include({
      email: 'Ada@example.com',
      role: 'owner',
    });
    const dashboard = inEnvironment(await dashboardOf(platform));
    expect((await now.call('developers.key.current', {}, dashboard)).project.name).to.equal('Dashboard');
    expect(await before.refusal('developers.key.current', {}, here)).to.include({ code: 'forbidden' });
    const { activities } = await (
      await operatorOf(platform)
    ).call('account.activity.list', { operation: 'account.update' });
    expect(activities.map(({ summary, actor }) => [actor.label, summary])).to.deep.equal([
      ['Start', `Changed the owner’s address from ${byDefault} to Ada@example.com, as SVC_OWNER_EMAIL states.`],
    ]);
  });

  it('keeps a real address: the start says that the setting changes nothing, and how to change it', async () => {
    await platform.restart({ SVC_SMTP_URL: mailServer, SVC_OWNER_EMAIL: 'ada@example.com' });
    expect(said(platform)).to.deep.equal([]);
    await platform.restart({ SVC_SMTP_URL: mailServer });
    expect(said(platform)).to.deep.equal([]);
    await platform.restart({ SVC_SMTP_URL: mailServer, SVC_OWNER_EMAIL: 'grace@example.com' });
    expect(said(platform).join())
      .to.contain('SVC_OWNER_EMAIL=grace@example.com changes nothing')
      .and.contain('account.member.invite');
    expect(await owners(platform)).to.deep.equal(['Ada@example.com']);
  });
});

describe('SVC_OWNER_EMAIL, set after the first start', () => {
  needProducts('email');
  const platform = usePlatform();
  const operator = async (): Promise<{ accountId: string }> => ({
    accountId: (await (await operatorOf(platform)).call('account.get', {})).account.id,
  });

  it('takes the address of an account’s owner too, and that account keeps its own', async () => {
    const other = await platform.account();
    await platform.restart({ SVC_OWNER_EMAIL: other.ownerEmail });
    expect(await owners(platform)).to.deep.equal([other.ownerEmail]);
    expect((await other.svc.call('account.member.list', {})).members[0]?.email).to.equal(other.ownerEmail);
  });

  it('changes nothing where another member has the address, and says what to do', async () => {
    const { database } = platform.running.services;
    const { accountId } = await operator();
    await database.run('UPDATE account_member SET email = ?, email_key = ? WHERE account_id = UNHEX(?)', [
      byDefault,
      byDefault,
      accountId.replaceAll('-', ''),
    ]);
    await addMember(platform, { accountId }, { role: 'admin', email: 'grace@example.com' });
    await platform.restart({ SVC_OWNER_EMAIL: 'grace@example.com', SVC_SMTP_URL: mailServer });
    expect(said(platform).join()).to.contain('(admin, active)').and.contain('account.member.role.set');
    expect(await owners(platform)).to.deep.equal([byDefault]);
  });
});
