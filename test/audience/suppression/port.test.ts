import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import type { SuppressionReason } from '#plugins/audience/ports.js';
import { contactOf, eventsOf } from '../support.js';
import { suppressingPlugin, type PortWork } from './support.js';

describe('The suppressions port', () => {
  const acting: PortWork = { run: () => Promise.resolve() };
  const platform = usePlatform({ plugins: [suppressingPlugin(acting)] });

  const email = 'ada@example.com';
  const phone = '+4915123456789';

  it('suppresses in the caller’s transaction: nothing remains when the call fails', async () => {
    const { svc, live } = await platform.account();
    acting.run = (port, environment) =>
      port.add(environment, { channel: 'email', address: 'Ada@Example.com', reason: 'bounce', note: 'No such user.' });
    const contact = await contactOf(svc);
    await svc.raw('/lab/act', '{}');
    const { suppressions } = await svc.call('audience.suppression.list', {});
    expect(suppressions).to.have.length(1);
    expect(suppressions[0]).to.deep.include({ reason: 'bounce', email, note: 'No such user.', liftable: true });
    const news = await eventsOf(platform, live, 'audience.suppression.');
    expect(news.map(({ type, subjectId, personId }) => ({ type, subjectId, personId }))).to.deep.equal([
      { type: 'audience.suppression.added', subjectId: suppressions[0]?.id, personId: contact.id },
    ]);
    acting.run = async (port, environment) => {
      await port.add(environment, { channel: 'sms', address: phone, reason: 'stop', note: null });
      throw new Error('The call fails after it used the port.');
    };
    expect((await svc.raw('/lab/act', '{}')).status).to.equal(500);
    expect((await svc.call('audience.suppression.list', { phone })).suppressions).to.deep.equal([]);
    expect(await eventsOf(platform, live, 'audience.suppression.')).to.have.length(1);
  });

  it('adds one active suppression per reason, with its event in the given environment', async () => {
    const { svc, svcTest, live, test } = await platform.account();
    acting.run = async (port) => {
      for (const reason of ['bounce', 'complaint', 'bounce'] as const)
        await port.add(test, { channel: 'email', address: email, reason, note: null });
    };
    await svc.raw('/lab/act', '{}');
    await svc.raw('/lab/act', '{}');
    const { suppressions } = await svcTest.call('audience.suppression.list', { email });
    expect(suppressions.map(({ reason }) => reason)).to.deep.equal(['complaint', 'bounce']);
    expect(await eventsOf(platform, test, 'audience.suppression.added')).to.have.length(2);
    expect(await eventsOf(platform, live, 'audience.')).to.deep.equal([]);
  });

  it('lifts only what the person asked for, when the person asks', async () => {
    const { svc, live } = await platform.account();
    const all: SuppressionReason[] = ['bounce', 'manual', 'unsubscribe', 'complaint', 'stop'];
    acting.run = async (port, environment) => {
      for (const reason of all) {
        await port.add(environment, { channel: 'sms', address: phone, reason, note: null });
        if (reason !== 'stop') await port.add(environment, { channel: 'email', address: email, reason, note: null });
      }
      await port.liftByPerson(environment, 'sms', '+49 1512 3456789');
    };
    await svc.raw('/lab/act', '{}');
    const standing = async (address: object): Promise<string[]> =>
      (await svc.call('audience.suppression.list', address)).suppressions
        .filter(({ liftedAt }) => liftedAt === null)
        .map(({ reason }) => reason);
    expect(await standing({ phone })).to.have.members(['bounce', 'manual']);
    expect(await standing({ email })).to.have.members(['bounce', 'manual', 'unsubscribe', 'complaint']);
    expect(await eventsOf(platform, live, 'audience.suppression.lifted')).to.have.length(3);
    acting.run = async (port, environment) => {
      await port.liftByPerson(environment, 'email', 'ADA@example.com');
      await port.liftByPerson(environment, 'email', email);
    };
    await svc.raw('/lab/act', '{}');
    expect(await standing({ email })).to.have.members(['bounce', 'manual']);
    expect(await eventsOf(platform, live, 'audience.suppression.lifted')).to.have.length(5);
  });
});
