import { expect } from 'chai';
import { at } from '#test/support/json.js';
import { shift } from '#core/runtime/clock.js';
import { inboundJobs } from '#plugins/email/inbound/retention.js';
import { days, hours } from '#test/support/clock.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { sqlId } from '../support.js';
import { addVerifiedDomain, ingest, inboundSecret, rawMail } from './support.js';

describe('Mail to a domain of an environment', () => {
  const platform = usePlatform({ settings: () => ({ SVC_INBOUND_SECRET: inboundSecret }) });
  const refusals = async ({ live }: TestAccount): Promise<unknown[]> =>
    (await platform.events(live)).flatMap(({ type, data }) =>
      type === 'email.inbound.refused' ? [data['refused']] : [],
    );

  it('is received at every address of it while receiving is on', async () => {
    const account = await platform.account();
    await addVerifiedDomain(platform, account, { domain: 'shop.example', receiving: true });
    for (const to of ['help@shop.example', 'anything.at-all@SHOP.example'])
      expect(at((await ingest(platform, rawMail(), { to })).body, 'status')).to.equal('stored');
    expect((await account.svc.call('email.inbound.list', {})).inbound).to.have.length(2);
    expect(await refusals(account)).to.deep.equal([]);
  });

  it('is refused while receiving is off, with an event that says why', async () => {
    const account = await platform.account();
    await addVerifiedDomain(platform, account, { domain: 'quiet.example', receiving: false });
    const { status, body } = await ingest(platform, rawMail(), { to: 'help@quiet.example', from: 'ada@example.com' });
    expect([status, at(body, 'status'), at(body, 'reason')]).to.deep.equal([200, 'refused', 'receiving_off']);
    expect(await refusals(account)).to.deep.equal([
      {
        envelopeFrom: 'ada@example.com',
        envelopeTo: 'help@quiet.example',
        reason: 'receiving_off',
        fix: 'Call email.domain.receiving.enable for the domain to receive its mail.',
      },
    ]);
    expect((await account.svc.call('email.inbound.list', {})).inbound).to.deep.equal([]);
  });

  it('leaves of a refused message nothing longer than its event', async () => {
    const account = await platform.account();
    await addVerifiedDomain(platform, account, { domain: 'old.example', receiving: false });
    await ingest(platform, rawMail(), { to: 'help@old.example' });
    const kept = (): Promise<number> =>
      platform.count('email_inbound_address', `role = 'refused' AND environment_id = ${sqlId(account.live.id)}`);
    const { database, clock, deployment } = platform.running.services;
    const forget = async (daysFromNow: number): Promise<void> => {
      const now = (): Date => shift(new Date(), days(daysFromNow));
      for (const job of inboundJobs({ database, clock: { ...clock, now }, deployment })) await job.run();
    };
    const { eventRetentionDays } = deployment.settings;
    await forget(eventRetentionDays - 1);
    expect(await kept()).to.equal(1);
    await forget(eventRetentionDays + 1);
    expect(await kept()).to.equal(0);
  });

  it('has an event a hundred times an hour at most', async () => {
    const account = await platform.account();
    await addVerifiedDomain(platform, account, { domain: 'flood.example', receiving: false });
    for (let n = 0; n < 105; n += 1) await ingest(platform, rawMail(), { to: 'help@flood.example' });
    expect(await refusals(account)).to.have.length(100);
    platform.clock.advance(hours(1));
    await ingest(platform, rawMail(), { to: 'help@flood.example' });
    expect(await refusals(account)).to.have.length(101);
  });
});
