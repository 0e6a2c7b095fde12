import { expect } from 'chai';
import { shift } from '#core/runtime/clock.js';
import { inboundJobs } from '#plugins/email/inbound/retention.js';
import { days } from '#test/support/clock.js';
import { searchDatabase } from '#test/support/search-database.js';
import { usePlatform } from '#test/support/platform.js';
import { inboundSecret, rawMail, receive } from './support.js';

describe('Received mail', () => {
  const platform = usePlatform({
    settings: () => ({ SVC_INBOUND_SECRET: inboundSecret, SVC_INBOUND_RETENTION_DAYS: '60' }),
  });
  const forget = async (daysFromNow: number): Promise<void> => {
    const { database, clock, deployment } = platform.running.services;
    // Ids are made by the machine's clock.
    const now = (): Date => shift(new Date(), days(daysFromNow));
    for (const job of inboundJobs({ database, clock: { ...clock, now }, deployment })) await job.run();
  };

  it('is deleted whole after its retention time, in small steps, deleted messages too', async () => {
    const account = await platform.account();
    const { svc } = account;
    const ids: string[] = [];
    for (let n = 0; n < 23; n += 1) {
      const body = `--b1\r\n\r\nsecretword ${n}\r\n--b1\r\nContent-Type: application/x; name=f\r\n\r\nsecretword\r\n--b1--`;
      const raw = rawMail({ 'Content-Type': 'multipart/mixed; boundary=b1', 'Message-ID': `<${n}@example.com>` }, body);
      ids.push(await receive(platform, account, raw));
    }
    await svc.call('email.inbound.delete', { inboundId: ids[0] ?? '' });
    await forget(59);
    expect(await platform.count('email_inbound')).to.equal(23);
    await forget(61);
    const tables = ['', '_content', '_attachment', '_part', '_address'].map((name) => `email_inbound${name}`);
    expect(await Promise.all(tables.map((table) => platform.count(table)))).to.deep.equal([0, 0, 0, 0, 0]);
    expect(await searchDatabase(platform.running.services.database, 'secretword')).to.deep.equal([]);
    expect((await svc.call('email.inbound.list', {})).inbound).to.deep.equal([]);
    expect((await svc.refusal('email.inbound.get', { inboundId: ids[1] ?? '' })).code).to.equal('not_found');
  });
});
