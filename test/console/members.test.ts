import { expect } from 'chai';
import { addMember } from '#test/account/support.js';
import { expectGoodLooks } from '#test/support/page-looks.js';
import { itNeeding } from '#test/support/products.js';
import { useConsole } from './support.js';

describe('The console, for the team', function () {
  this.timeout(180_000);
  const test = useConsole();
  const { platform } = test;

  it('an owner invites a colleague, sends the email again, changes the role and withdraws the invitation', async () => {
    const account = await platform.account();
    const page = await test.open(account, 'account/member', { bypassCSP: true });
    await page.getByRole('button', { name: 'Invite member' }).click();
    await page.getByRole('dialog').getByLabel('Email').fill('grace@example.com');
    await page.getByRole('dialog').getByRole('button', { name: 'Invite member' }).click();
    const row = page.getByRole('row', { name: /grace@example\.com/ });
    await row.getByText('Invited').waitFor();
    await row.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('dialog').getByText('They get the email again.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Invitation sent to grace@example.com.').waitFor();
    await row.getByRole('button', { name: 'Change role' }).click();
    await page.getByRole('dialog').getByLabel('Role').selectOption('viewer');
    await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click();
    await row.getByRole('cell', { name: 'Viewer', exact: true }).waitFor();
    await expectGoodLooks(page, 'console-members');
    // On a phone, too.
    await page.setViewportSize({ width: 360, height: 740 });
    await row.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByRole('dialog').getByText('The link in the email stops working.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('Invitation of grace@example.com withdrawn.').waitFor();
    const { members } = await account.svc.call('account.member.list', {});
    expect(members.some(({ email }) => email === 'grace@example.com')).to.equal(false);
  });

  it('an owner invites a marketer, who sees nothing else, and chooses single permissions', async () => {
    const account = await platform.account();
    const page = await test.open(account, 'account/member', { bypassCSP: true });
    await page.getByRole('button', { name: 'Invite member' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill('mia@example.com');
    await dialog.getByLabel('Role').selectOption('Marketer');
    await dialog.getByText('Works with contacts, email and SMS.').waitFor();
    await dialog.getByRole('button', { name: 'Invite member' }).click();
    const row = page.getByRole('row', { name: /mia@example\.com/ });
    await row.getByRole('cell', { name: 'Marketer', exact: true }).waitFor();
    const { members } = await account.svc.call('account.member.list', {});
    const { role, permissions } = members.find(({ email }) => email === 'mia@example.com') ?? {};
    expect({ role, permissions }).to.deep.equal({
      role: 'developer',
      permissions: [
        'account:read',
        ...['audience', 'email', 'sms'].flatMap((product) => [`${product}:read`, `${product}:write`]),
      ],
    });
    await row.getByRole('button', { name: 'Change role' }).click();
    await dialog.getByLabel('Role').selectOption('Chosen permissions');
    await dialog.getByLabel('sms:write').uncheck();
    await expectGoodLooks(page, 'console-members-permissions');
    await dialog.getByRole('button', { name: 'Change role' }).click();
    await row.getByRole('cell', { name: 'Part of developer', exact: true }).waitFor();

    const { email } = await addMember(platform, account, { role: 'developer', permissions: permissions ?? [] });
    const theirs = await test.open(account, '', { email });
    await theirs.getByRole('navigation', { name: 'Main' }).getByText('Email', { exact: true }).waitFor();
    for (const product of ['Sign-in', 'Developers', 'Billing'])
      expect(
        await theirs.getByRole('navigation', { name: 'Main' }).getByText(product, { exact: true }).count(),
      ).to.equal(0);
    await theirs.goto(`${platform.running.address}/console/${account.live.id}/do/developers.key.create`);
    await theirs.getByText('Needs the permission developers:write. Your access does not include it.').first().waitFor();
  });

  it('an owner archives a project, finds it apart, and unarchives it', async () => {
    const account = await platform.account();
    await account.svc.call('account.project.create', { name: 'Old shop' });
    const page = await test.open(account, 'account/project');
    const row = page.getByRole('row', { name: /Old shop/ });
    await row.getByRole('button', { name: 'Archive' }).click();
    await page.getByRole('dialog').getByText('Its keys stop working and it sends nothing.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
    await page.getByText('“Old shop” archived.').waitFor();
    await row.waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Archived' }).click();
    await row.getByRole('button', { name: 'Unarchive' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unarchive' }).click();
    await page.getByText('“Old shop” unarchived.').waitFor();
    const { projects } = await account.svc.call('account.project.list', { archived: true });
    expect(projects).to.deep.equal([]);
  });

  itNeeding('audience')('counts suppressions before it lifts many', async () => {
    const account = await platform.account();
    for (const address of ['ada@down.example', 'bob@down.example', 'eve@up.example'])
      await account.svc.call('audience.suppression.add', { email: address });
    const page = await test.open(account, 'audience/suppression');
    await page.getByRole('button', { name: 'Lift many' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').selectOption('manual');
    await dialog.getByLabel('Domain').fill('down.example');
    await dialog.getByRole('button', { name: 'Count' }).click();
    await dialog.getByText('Suppressions that will be lifted: 2.').waitFor();
    await dialog.getByRole('button', { name: 'Lift 2' }).click();
    await dialog.getByText('2 lifted.').waitFor();
    const { suppressions } = await account.svc.call('audience.suppression.list', {});
    expect(suppressions.filter(({ liftedAt }) => liftedAt === null).map(({ email }) => email)).to.deep.equal([
      'eve@up.example',
    ]);
  });

  it('an admin sees what only an owner may do, disabled and with the reason', async () => {
    const account = await platform.account();
    const { email } = await addMember(platform, account, { role: 'admin' });
    const page = await test.open(account, 'account/member', { email });
    const reason = 'Only an owner of the account can do this. Your role is admin.';
    const owner = page.getByRole('row', { name: account.ownerEmail });
    for (const action of ['Change role', 'Remove'])
      await owner.getByRole('button', { name: `${action} : ${reason}`, disabled: true }).waitFor();
    await page.getByRole('row', { name: email }).getByRole('button', { name: 'Change role', exact: true }).waitFor();
    for (const [operation, action] of [
      ['account.close', 'Close account'],
      ['account.reopen', 'Reopen account'],
      ['billing.cap.set', 'Set cap'],
      ['billing.payment.setup', 'Setup payment'],
    ] as const) {
      await page.goto(`${platform.running.address}/console/${account.live.id}/do/${operation}`);
      await page.getByRole('button', { name: `${action} : ${reason}`, disabled: true }).waitFor();
    }
  });
});
