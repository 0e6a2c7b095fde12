import { expect } from 'chai';
import { rawMail } from '#test/email/inbound/support.js';
import { deliver } from '#test/email/inbound/smtp-support.js';
import { freePort } from '#test/support/free-port.js';
import { needProducts } from '#test/support/products.js';
import { textAt } from './support/call.js';
import { openStage, type Stage } from './support/stage.js';

describe('kill -9 while mail is received', function () {
  this.timeout(120_000);
  needProducts('email');
  const stages: Stage[] = [];
  afterEach(async () => {
    for (const stage of stages.splice(0)) await stage.close();
  });

  it('neither loses a message nor stores it twice: the sender tries again', async () => {
    const stage = await openStage();
    stages.push(stage);
    const { db } = stage;
    const port = await freePort();
    const settings = { SVC_INBOUND_SMTP_PORT: String(port) };
    const stored = async (): Promise<number> => (await db.rows('SELECT id FROM email_inbound')).length;

    let to = '';
    // Between the end of the message and storing it; between storing it and the answer.
    for (const [fault, expected] of [
      ['inbound.store.before:1', 0],
      ['inbound.store.after:1', 1],
    ] as const) {
      const node = await stage.start({ fault, settings });
      if (to === '') to = textAt(await stage.askLive(node, 'email.sender.get', {}), 'ownAddress');
      expect((await deliver(port, rawMail(), { to })).code, fault).not.to.equal(250);
      await node.diedAtPoint();
      expect(await stored(), fault).to.equal(expected);
    }
    const node = await stage.start({ settings });
    expect((await deliver(port, rawMail(), { to })).code).to.equal(250);
    expect(await stored()).to.equal(1);
    const events = await db.rows("SELECT id FROM svc_event WHERE type = 'email.inbound.received'");
    expect(events).to.have.length(1);
    expect(await node.stop()).to.equal('0');
  });
});
