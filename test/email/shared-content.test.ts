import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { erasure } from '#core/kernel/ports.js';
import { connectDatabase } from '#core/runtime/database/connect.js';
import { findMigrations, migrate } from '#core/runtime/database/migrate.js';
import { newId } from '#core/runtime/id.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import { createTestDatabase } from '#test/support/database.js';
import { hours } from '#test/support/clock.js';
import { send, sqlId, useMail } from './support.js';

describe('shared content', () => {
  const mail = useMail();
  const { platform } = mail;

  const erase = async (environment: Environment, email: string): Promise<void> => {
    await platform.running.services.transaction('Test', ({ use }) =>
      use(erasure).request({ environment, personId: newId(), email, phone: null }),
    );
    await platform.settled();
  };

  it('is sent with each of them, and stays until the last recipient is erased', async () => {
    const { svc, live } = await platform.account();
    const sendAfter = new Date(platform.clock.now().getTime() + hours(1)).toISOString();
    const ada = await send(svc, { to: 'ada@example.com', text: 'For all of you.', sendAfter });
    const bob = await send(svc, { to: 'bob@example.com', text: 'Replaced.', sendAfter });
    const { database } = platform.running.services;
    const [content, own] = [sqlId(ada.messageId), sqlId(bob.messageId)];
    await database.run(`UPDATE email_message SET content_id = ${content} WHERE id = ${own}`);
    await database.run(`DELETE FROM email_content WHERE id = ${own}`);
    platform.clock.advance(hours(1));
    for (const { messageId } of [ada, bob])
      expect((await mail.mailOf(messageId)).parsed.text?.trim()).to.equal('For all of you.');
    await platform.settled();

    await erase(live, 'ada@example.com');
    expect((await svc.call('email.message.get', { messageId: ada.messageId })).content).to.equal(null);
    const shown = await svc.call('email.message.get', { messageId: bob.messageId });
    expect(shown.content).to.deep.equal({ text: 'For all of you.', html: null, renderedNow: false });
    expect(shown.message).to.deep.include({ to: ['bob@example.com'], subject: 'Hello' });

    await erase(live, 'bob@example.com');
    expect(await platform.count('email_content', `id = ${content}`)).to.equal(0);
  });

  it('is what messages from before it could be shared refer to', async () => {
    const { url, drop } = await createTestDatabase();
    const database = await connectDatabase({ url, poolSize: 1 });
    try {
      const folder = fileURLToPath(new URL('../../migrations/', import.meta.url));
      const migrations = await findMigrations(folder, ['email']);
      await migrate(
        database,
        migrations.filter(({ name }) => name < '0004'),
      );
      const [sent, erased] = [sqlId(newId()), sqlId(newId())];
      for (const id of [sent, erased])
        await database.run(
          `INSERT INTO email_message (id, environment_id, status, is_system, from_address, reply_to, to_addresses, cc_addresses,
           bcc_addresses, headers, tags, created_at) VALUES (${id}, ${id}, 'sending', 0, 'a@example.com', '[]', '[]', '[]', '[]', '{}', '{}', NOW(3))`,
        );
      await database.run(`INSERT INTO email_content (message_id, text_body) VALUES (${sent}, 'Hi')`);
      await database.run(
        `INSERT INTO email_attachment (message_id, position, filename, content_type, content_id, bytes) VALUES (${sent}, 0, 'a.png', 'image/png', 'logo', 2)`,
      );
      await database.run(
        `INSERT INTO email_attachment_part (message_id, position, part, data) VALUES (${sent}, 0, 0, 'ab')`,
      );
      await migrate(database, migrations);
      const rows = await database.rows(
        `SELECT m.status, c.text_body AS text, a.filename, a.inline_id AS inline, p.data FROM email_message m
         LEFT JOIN email_content c ON c.id = m.content_id LEFT JOIN email_attachment a ON a.content_id = c.id
         LEFT JOIN email_attachment_part p ON p.content_id = c.id ORDER BY m.id = ${erased}`,
      );
      expect(rows).to.deep.equal([
        { status: Buffer.from('queued'), text: 'Hi', filename: 'a.png', inline: 'logo', data: Buffer.from('ab') },
        { status: Buffer.from('queued'), text: null, filename: null, inline: null, data: null },
      ]);
    } finally {
      await database.close();
      await drop();
    }
  });
});
