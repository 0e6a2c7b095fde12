import { expect } from 'chai';
import { idBytes, newId } from '#core/runtime/id.js';
import { at } from '#core/runtime/json.js';
import { atOwnShard } from '#core/runtime/shard.js';
import { up as deleteDashboardUsage } from '#migrations/billing/0250_dashboard_usage.js';
import { periodOf } from '#plugins/billing/periods/months.js';
import { countContacts } from '#plugins/billing/closing/contact-peaks.js';
import { passThroughFees } from '#plugins/billing/ports.js';
import {
  dashboardOf,
  dashboardSession,
  inEnvironment,
  operatorOf,
  withSession,
} from '#test/account/dashboard/support.js';
import { useMail } from '#test/email/support.js';
import { days } from '#test/support/clock.js';
import { itNeeding, needProducts } from '#test/support/products.js';
import { mail, rollUp, usageOf } from './metering-support.js';
import { flat, usePrices } from './prices.js';

describe('The project that members sign in to costs nothing', () => {
  needProducts('auth');
  const { platform } = useMail({ settings: usePrices([flat('email.message', '1'), flat('audience.contact', '1')]) });

  /**
   * What the operator's account is charged for: its usage by project, what it has spent, and the draft of its invoice.
   */
  const charged = async () => {
    const operator = await operatorOf(platform);
    const { invoice } = await operator.call('billing.invoice.get', { period: periodOf(platform.clock.now()) });
    return {
      usage: await usageOf(operator, { by: 'project' }),
      lines: invoice.lines.map(({ description, projectName }) => `${String(projectName)}: ${description}`),
      total: invoice.total,
    };
  };
  const nothing = { usage: [], lines: [], total: '0.00' };
  const oneMail = {
    usage: ['First project email.message 1 1.00'],
    lines: ['First project: Emails'],
    total: '1.00',
  };

  it('in sign-in codes, which the spending cap does not count either', async () => {
    const operator = await operatorOf(platform);
    await operator.call('billing.cap.set', { amount: '1.5' });
    const description: unknown = await (await fetch(atOwnShard(`${platform.running.address}/openapi.json`))).json();
    const key = String(at(description, 'x-svc-dashboard', 'publishableKey'));
    for (const email of ['owner@mail.localhost', 'ada@example.com', 'grace@example.com'])
      await platform.api.call('auth.signin.start', { email }, { key });
    const { id } = await dashboardOf(platform);
    expect(await platform.count('email_message', `environment_id = x'${id.replaceAll('-', '')}'`)).to.equal(3);
    expect(await charged()).to.deep.equal(nothing);
    // The first message is within the cap, as if nobody had signed in.
    await operator.call('email.send', mail());
    expect(await operator.refusal('email.send', mail())).to.include({ code: 'spending_cap_reached' });
    await rollUp(platform);
    expect(await charged()).to.deep.equal(oneMail);
  });

  itNeeding('audience')('in whatever else happens there: messages, contacts, fees', async () => {
    const environment = await dashboardOf(platform);
    const owner = withSession(platform, await dashboardSession(platform, 'owner@mail.localhost'));
    await owner.call('email.send', mail(), inEnvironment(environment));
    await owner.call('audience.contact.upsert', { email: 'ada@example.com' }, inEnvironment(environment));
    await platform.running.services.transaction('Test', async ({ use, actIn }) => {
      actIn(environment);
      await use(passThroughFees).record(environment, {
        kind: 'sms_brand',
        name: 'Fee',
        amount: '4.50',
        reference: 'dashboard',
      });
    });
    platform.clock.advance(days(1));
    await countContacts(platform.running.services);
    await rollUp(platform);
    const { usage, lines } = await charged();
    expect(JSON.stringify([usage, lines])).not.to.match(/Dashboard|contact|Fee/i);
  });

  it('in what an earlier version metered of a month that is not closed', async () => {
    const { accountId, projectId, id } = await dashboardOf(platform);
    const { database } = platform.running.services;
    const before = await charged();
    const period = periodOf(platform.clock.now());
    const [account, project, environment] = [idBytes(accountId), idBytes(projectId), idBytes(id)];
    await database.run(
      `INSERT INTO billing_usage (id, account_id, period, meter, project_id, day, country, is_test, environment_id, quantity, source_id, reserved, is_rolled_up, created_at)
       VALUES (?, ?, ?, 'email.message', ?, 20783, '', 0, ?, 2, 'old', 2000000, 0, NOW(3))`,
      [idBytes(newId()), account, Buffer.from(period), project, environment],
    );
    const total = `INSERT INTO billing_usage_total (account_id, period, meter, project_id, day, country, is_test, quantity)
       VALUES (?, ?, 'email.message', ?, 20783, '', 0, 3)`;
    await database.run(total, [account, Buffer.from(period), project]);
    await database.run(total, [account, Buffer.from('2020-01'), project]);
    await database.run(
      `INSERT INTO billing_month (account_id, period, spent, fees, reserved, closed_at) VALUES (?, '2020-01', 0, 0, 0, NOW(3))`,
      [account],
    );
    expect(await charged()).not.to.deep.equal(before);
    for (const statement of deleteDashboardUsage) await database.run(statement);
    expect(await charged()).to.deep.equal(before);
    // A closed month keeps what its invoice charged.
    expect(await usageOf(await operatorOf(platform), { period: '2020-01' })).to.deep.equal(['email.message 3 3.00']);
  });
});
