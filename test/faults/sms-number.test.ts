import { expect } from 'chai';
import { eventually } from '#test/support/eventually.js';
import { needProducts } from '#test/support/products.js';
import { startTwilio } from '#test/support/twilio.js';
import { call, readAnswer, textAt, type Outcome } from './support/call.js';
import type { NodeProcess } from './support/node.js';
import { openStage, type Stage } from './support/stage.js';

/**
 * Where the node dies: before the purchase, after Twilio’s success, after it was recorded, and before its answer is
 * stored.
 */
const deaths = ['commit.after:1', 'sms.number.bought:1', 'sms.number.recorded:1', 'finish.store.before:1'];

describe('A node that is killed while it takes a number', function () {
  this.timeout(300_000);
  needProducts('billing', 'sms');
  const closes: (() => Promise<unknown>)[] = [];
  after(async () => {
    for (const close of closes.reverse()) await close();
  });

  it('takes one number and charges once, wherever it dies; a repeat is answered with that number', async () => {
    const twilio = await startTwilio();
    closes.push(() => twilio.close());
    const stage = await openStage();
    closes.push(() => stage.close());
    const settings = { SVC_SMS_URL: twilio.smsUrl, SVC_SMS_ALLOWED_COUNTRIES: 'US' };
    const start = (fault?: string): Promise<NodeProcess> =>
      stage.start({ settings, ...(fault === undefined ? {} : { fault }) });
    const numbersOf = async (node: NodeProcess): Promise<string[]> => {
      const { numbers } = await stage.askLive(node, 'sms.number.list', {});
      return Array.isArray(numbers) ? numbers.map((each) => textAt(each, 'number')) : [];
    };

    const count = async (sql: string): Promise<number> =>
      (await stage.db.rows<{ found: number }>(`SELECT COUNT(*) AS found FROM ${sql}`))[0]?.found ?? NaN;

    let node = await start(deaths[0]);
    for (const [index, death] of deaths.entries()) {
      expect(await assign(stage, node, death), death).to.deep.equal({ kind: 'open', why: 'broken' });
      await node.diedAtPoint();
      node = await start();
      // As if a minute later.
      await stage.db.run(
        'UPDATE sms_number_queue SET due_at = NOW(3) - INTERVAL 1 SECOND, lease_until = IF(leased, NOW(3) - INTERVAL 1 SECOND, NULL)',
      );
      await eventually(
        async () => (await count("sms_number WHERE status = 'assigned'")) === index + 1,
        `the number of ${death}`,
        30_000,
      );
      await stage.db.run(
        'UPDATE svc_idempotency SET lease_until = NOW(3) - INTERVAL 1 SECOND WHERE lease_until IS NOT NULL',
      );
      const repeat = await assign(stage, node, death);
      const [newest] = await numbersOf(node);
      expect(repeat.kind === 'answered' && textAt(readAnswer(repeat.text).result, 'number', 'number'), death).to.equal(
        newest,
      );
      expect(twilio.purchases.length, death).to.equal(index + 1);
      expect(twilio.purchases.at(-1)).to.equal(newest);
      await node.kill();
      node = await start(deaths[index + 1]);
    }
    expect(await count("billing_usage WHERE meter = 'sms.number_month'")).to.equal(deaths.length);
    expect(await count("svc_event WHERE type = 'sms.number.assigned'")).to.equal(deaths.length);
    expect(await count('sms_number_queue')).to.equal(0);
  });
});

async function assign(stage: Stage, node: NodeProcess, idempotencyKey: string): Promise<Outcome> {
  return call(node.address, await stage.liveKey(), {
    operation: 'sms.number.assign',
    input: { country: 'US' },
    idempotencyKey: idempotencyKey.replace(':', '-'),
  });
}
