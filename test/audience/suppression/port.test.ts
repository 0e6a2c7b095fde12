import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
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
});
