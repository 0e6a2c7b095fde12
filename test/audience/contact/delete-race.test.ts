import { expect } from 'chai';
import { connectDatabase } from '#core/runtime/database/connect.js';
import { eventually } from '#test/support/eventually.js';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { searchDatabase } from '#test/support/search-database.js';
import { useStatementGate } from '#test/support/statement-gate.js';
import { skipOnVitess } from '#test/support/vitess.js';

describe('audience.contact.delete of a person who had several addresses', () => {
  needProducts('email');
  const statements = useStatementGate();
  const platform = usePlatform({ databaseUrl: statements.databaseUrl });

  const isRunning = async (condition: string): Promise<boolean> =>
    (await platform.count('information_schema.PROCESSLIST', `DB = DATABASE() AND ${condition}`)) > 0;

  it('erases a message by which the erasures of two addresses find the person at the same time', async function () {
    skipOnVitess(this, 'LOCK TABLES');
    const { svc } = await platform.account();
    const email = 'ada@example.com';
    const { contact } = await svc.call('audience.contact.upsert', { email, externalId: 'ada' });
    const { messageId } = await svc.call('email.send', { to: email, subject: 'A', text: 'B' });
    await platform.settled();
    // Another contact has the address now: both erasures, of the address and of the one before, find the message by the
    // contact's id alone.
    await svc.call('audience.contact.update', { contactId: contact.id, email: null });
    await svc.call('audience.contact.upsert', { email, externalId: 'bob' });

    const beforeReading = statements.hold('SELECT id, leased FROM email_queue WHERE id IN', { after: 1 });
    const beforeCommit = statements.hold('FROM svc_event FORCE INDEX (subject)');
    await svc.call('audience.contact.delete', { contactId: contact.id });
    await beforeCommit.reached(1);
    await beforeReading.reached(1);
    // The second erasure reads the recipients only after the first one has committed, and the message as soon as it
    // may.
    const other = await connectDatabase({ url: platform.databaseUrl, poolSize: 1 });
    const locked = other.run('LOCK TABLES email_recipient WRITE');
    await eventually(() => isRunning(`INFO LIKE 'LOCK TABLES%' AND STATE LIKE 'Waiting%'`), 'the lock waits');
    beforeReading.open();
    await eventually(
      () =>
        isRunning(
          `(INFO LIKE '%FROM email_message %FOR UPDATE' OR INFO LIKE '%FROM email_recipient WHERE message_id%') AND COMMAND = 'Query' AND ID <> CONNECTION_ID()`,
        ),
      'the second erasure reads',
    );
    beforeCommit.open();
    await locked;
    await other.run('UNLOCK TABLES');
    await other.close();
    await platform.settled();

    const { message } = await svc.call('email.message.get', { messageId });
    expect(message).to.deep.include({ to: [], contactId: null });
    const columns = await searchDatabase(platform.running.services.database, email);
    expect(columns.filter((name) => name.startsWith('email_'))).to.deep.equal([]);
  });
});
