import { expect } from 'chai';
import { submit } from '#test/email/submission/support.js';
import { freePort } from '#test/support/free-port.js';
import { needProducts } from '#test/support/products.js';
import { textAt } from './support/call.js';
import { openStage, type Stage } from './support/stage.js';

describe('kill -9 while mail is submitted', function () {
  this.timeout(180_000);
  needProducts('email');
  const stages: Stage[] = [];
  afterEach(async () => {
    for (const stage of stages.splice(0)) await stage.close();
  });

  it('neither loses a message after its 250 nor doubles one that the program repeats', async () => {
    const stage = await openStage();
    stages.push(stage);
    const { db } = stage;
    const port = await freePort();
    const settings = { SVC_SUBMISSION_PORT: String(port) };
    const stored = async (): Promise<number> => (await db.rows('SELECT id FROM email_message')).length;
    const letter = { to: 'ada@example.com', subject: 'Once', text: 'Once', messageId: '<once@shop.example>' };

    let program = { port, key: '' };
    let from = '';
    // Before the commit; between the commit and the 250.
    for (const [fault, expected] of [
      ['commit.before:1', 0],
      ['commit.after:1', 1],
    ] as const) {
      const node = await stage.start({ fault, settings });
      program = { port, key: await stage.liveKey() };
      if (from === '') from = textAt(await stage.askLive(node, 'email.sender.get', {}), 'ownAddress');
      const code = await submit(program, { from, ...letter }).then(
        (reply) => reply.code,
        () => 0,
      );
      expect(code, fault).not.to.equal(250);
      await node.diedAtPoint();
      expect(await stored(), fault).to.equal(expected);
    }

    const node = await stage.start({ settings });
    const { code, messageIds } = await submit(program, { from, ...letter });
    expect(code).to.equal(250);
    expect(await stored()).to.equal(1);
    // Killed right after the 250: another node delivers it.
    const other = await submit(program, { from, ...letter, subject: 'Kept', messageId: '<kept@shop.example>' });
    expect(other.code).to.equal(250);
    await node.kill();
    const next = await stage.start({ settings });
    expect(await stored()).to.equal(2);
    await stage.mail.waitFor((all) =>
      ['Once', 'Kept'].every((subject) => all.some(({ parsed }) => parsed.subject === subject)),
    );
    expect(stage.mail.received.filter(({ parsed }) => parsed.messageId === '<once@shop.example>')).to.have.length(1);
    expect((await submit(program, { from, ...letter })).messageIds).to.deep.equal(messageIds);
    expect(await stored()).to.equal(2);
    expect(await next.stop()).to.equal('0');
  });
});
