import { expect } from 'chai';
import { notifyOwners } from '#plugins/billing/cap/notify-owners.js';
import { idBytes, newId } from '#core/runtime/id.js';
import { headerOf, sqlId, useMail } from '#test/email/support.js';
import { untilWaiting } from '#test/support/lock-waits.js';
import { flat, usePrices } from '#test/billing/prices.js';
import { mail } from './metering-support.js';

describe('Mail about the spending cap', () => {
  const mails = useMail({ settings: usePrices([flat('email.message', '1')]) });
  const { platform } = mails;

  it('goes to the owners once when 50 % and once when 80 % are spent, for each cap', async () => {
    const { svc, ownerEmail } = await platform.account();
    /** The subjects of the mails that the owner got. */
    const capMails = async (): Promise<(string | undefined)[]> => {
      for (let round = 0; round < 2; round += 1)
        await Promise.all([notifyOwners(platform.running.services), notifyOwners(platform.running.services)]);
      await platform.settled();
      return mails.smtp.received
        .filter(({ recipients }) => recipients.includes(ownerEmail))
        .map((received) => headerOf(received, 'subject') ?? received.parsed.subject);
    };
    await svc.call('billing.cap.set', { amount: '10' });
    for (let count = 0; count < 4; count += 1) await svc.call('email.send', mail());
    expect(await capMails()).to.deep.equal([]);
    await svc.call('email.send', mail());
    expect(await capMails()).to.deep.equal(['50% of your spending cap has been used']);
    // The mail about it is free.
    for (let count = 0; count < 2; count += 1) await svc.call('email.send', mail());
    expect(await capMails()).to.have.length(1);
    await svc.call('email.send', mail());
    expect(await capMails()).to.deep.equal([
      '50% of your spending cap has been used',
      '80% of your spending cap has been used',
    ]);
    for (let count = 0; count < 2; count += 1) await svc.call('email.send', mail());
    expect(await svc.refusal('email.send', mail())).to.include({ code: 'spending_cap_reached' });
    expect(await capMails()).to.have.length(2);
    await svc.call('billing.cap.set', { amount: '12' });
    expect(await capMails()).to.deep.equal([
      '50% of your spending cap has been used',
      '80% of your spending cap has been used',
      '80% of your spending cap has been used',
    ]);
  });

  it('is not sent for a cap that was raised while it was made', async () => {
    const { svc, accountId, ownerEmail } = await platform.account();
    await svc.call('billing.cap.set', { amount: '10' });
    for (let count = 0; count < 6; count += 1) await svc.call('email.send', mail());
    const { services } = platform.running;
    const id = [idBytes(accountId)];
    const { notifying } = await services.database.transaction(async (db) => {
      await db.rows('SELECT cap FROM billing_account WHERE account_id = ? FOR UPDATE', id);
      const started = { notifying: notifyOwners(services) };
      await untilWaiting(platform, 1, 'whoever notifies the owners');
      await db.run('UPDATE billing_account SET cap = 1000000000 WHERE account_id = ?', id);
      return started;
    });
    await notifying;
    await platform.settled();
    expect(mails.smtp.received.filter(({ recipients }) => recipients.includes(ownerEmail))).to.deep.equal([]);
    // The new cap's mails are still to come.
    expect(
      await platform.count('billing_month', `account_id = ${sqlId(accountId)} AND half_notified_at IS NULL`),
    ).to.equal(1);
  });

  it('is queued later where it cannot be queued now, such as while the account is closed', async () => {
    const { svc, ownerEmail } = await platform.account();
    const capMails = async (): Promise<number> => {
      await notifyOwners(platform.running.services);
      await platform.settled();
      return mails.smtp.received.filter(({ recipients }) => recipients.includes(ownerEmail)).length;
    };
    await svc.call('billing.cap.set', { amount: '2' });
    await svc.call('email.send', mail());
    await svc.call('account.close', { reason: 'A pause.' });
    const before = await capMails();
    expect(await capMails()).to.equal(before);
    await svc.call('account.reopen', {});
    expect(await capMails()).to.equal(before + 1);
    expect(await capMails(), 'once').to.equal(before + 1);
  });

  it('reaches the others where it fails for one account, which is tried again', async () => {
    const [first, second] = [await platform.account(), await platform.account()];
    for (const { svc } of [first, second]) {
      await svc.call('billing.cap.set', { amount: '2' });
      await svc.call('email.send', mail());
    }
    const { services } = platform.running;
    const capMails = async (): Promise<string[]> => {
      await notifyOwners(services);
      await platform.settled();
      return mails.smtp.received.flatMap(({ recipients }) => recipients);
    };
    const rename = (from: string, to: string): Promise<unknown> =>
      services.database.run('UPDATE account_project SET id = ? WHERE id = ?', [idBytes(to), idBytes(from)]);
    const elsewhere = newId();
    await rename(first.projectId, elsewhere);
    expect(await capMails())
      .to.include(second.ownerEmail)
      .and.not.include(first.ownerEmail);
    expect(platform.logLines.some((line) => line.includes(first.accountId) && line.includes('billing.notify-owners')))
      .to.be.true;
    await rename(elsewhere, first.projectId);
    expect(await capMails()).to.include(first.ownerEmail);
  });

  it('costs nothing for closed accounts, which are not looked at', async () => {
    const { svc, accountId } = await platform.account();
    await svc.call('billing.cap.set', { amount: '2' });
    await svc.call('email.send', mail());
    await svc.call('account.close', { reason: 'A pause.' });
    const before = platform.logLines.length;
    // Whoever looked at the account would wait for this row, and log that it could not have it.
    await platform.running.services.database.transaction(async (db) => {
      await db.rows('SELECT cap FROM billing_account WHERE account_id = ? FOR UPDATE', [idBytes(accountId)]);
      await notifyOwners(platform.running.services);
    });
    expect(platform.logLines.slice(before).filter((line) => line.includes(accountId))).to.deep.equal([]);
  });
});
