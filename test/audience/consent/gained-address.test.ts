import { expect } from 'chai';
import { auditOf, contactOf, eventsOf, topicOf } from '#test/audience/support.js';
import { runImport } from '#test/audience/contact/support.js';
import { hours } from '#test/support/clock.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';

describe('A contact that gets an address or number at which another contact opted out', () => {
  const platform = usePlatform();
  const email = 'ada@example.com';
  const phone = '+4915123456789';
  const ago = (ms: number): string => new Date(platform.clock.now().getTime() - ms).toISOString();
  const claim = (givenAt: string, channel: 'email' | 'sms' = 'email') => ({
    topic: 'news',
    channel,
    source: 'shop',
    givenAt,
  });

  /**
   * Ada opted out of news on both channels two hours ago and was erased one hour ago. Bob agreed to news on both
   * channels at his own address and number; `bob` gives the time.
   */
  async function arranged(bob: () => string = () => ago(hours(3))): Promise<TestAccount & { bobId: string }> {
    const account = await platform.account();
    const { svc } = account;
    await topicOf(svc);
    const { id: adaId } = await contactOf(svc, { email, phone });
    for (const channel of ['email', 'sms'] as const)
      await svc.call('audience.consent.revoke', { contactId: adaId, topic: 'news', channel, source: 'call' });
    platform.clock.advance(hours(1));
    await svc.call('audience.contact.delete', { contactId: adaId });
    platform.clock.advance(hours(1));
    const { id: bobId } = await contactOf(svc, {
      externalId: 'bob',
      email: 'bob@example.com',
      phone: '+4915123456780',
      consents: [claim(bob()), claim(bob(), 'sms')],
    });
    expect(await statesOf(account, bobId)).to.deep.equal(['email granted', 'sms granted']);
    return { ...account, bobId };
  }

  const statesOf = async ({ svc }: Pick<TestAccount, 'svc'>, contactId: string): Promise<string[]> =>
    (await svc.call('audience.contact.get', { contactId })).consents.map(({ channel, state }) => `${channel} ${state}`);

  itNeeding('email')('gets no mail for its older consent', async () => {
    const { svc, bobId } = await arranged();
    await svc.call('audience.contact.update', { contactId: bobId, email });
    const sent = await svc.call('email.send', { to: email, topic: 'news', subject: 'A', text: 'B' });
    expect(sent.status).to.equal('suppressed');
  });

  it('loses its older consent, with a record, an event and an audit record', async () => {
    const account = await arranged();
    const { svc, live, bobId } = account;
    const optedOutAt = ago(hours(2));
    const { activityId } = await svc.envelope('audience.contact.update', { contactId: bobId, email });
    expect(await statesOf(account, bobId)).to.deep.equal(['email revoked', 'sms granted']);
    const [record] = (await svc.call('audience.consent.list', { contactId: bobId, channel: 'email' })).consents;
    expect(record).to.deep.include({
      state: 'revoked',
      effective: true,
      source: 'opt-out at this address',
      givenAt: optedOutAt,
      recordedAt: platform.clock.now().toISOString(),
    });
    const [event] = (await eventsOf(platform, live, 'audience.consent.revoked')).filter(
      ({ subjectId }) => subjectId === bobId,
    );
    expect(event).to.deep.include({ personId: bobId, activityId, data: { consent: record } });
    expect((await auditOf(platform, activityId)).changes).to.deep.equal([
      { field: 'email', from: 'bob@example.com', to: email },
      { field: 'consent.email.news', from: 'granted', to: 'revoked' },
    ]);
  });

  it('loses its older consent on sms with a number, and with an upsert', async () => {
    const account = await arranged();
    await account.svc.call('audience.contact.upsert', { externalId: 'bob', phone });
    expect(await statesOf(account, account.bobId)).to.deep.equal(['email granted', 'sms revoked']);
    const [record] = (await account.svc.call('audience.consent.list', { contactId: account.bobId })).consents;
    expect(record?.source).to.equal('opt-out at this number');
  });

  it('keeps a consent that was given after the opt-out, also one that comes in the same call', async () => {
    const later = await arranged(() => ago(hours(1)));
    await later.svc.call('audience.contact.update', { contactId: later.bobId, email, phone });
    expect(await statesOf(later, later.bobId)).to.deep.equal(['email granted', 'sms granted']);

    const account = await arranged();
    const consents = [claim(ago(hours(1))), claim(ago(hours(3)), 'sms')];
    await account.svc.call('audience.contact.upsert', { externalId: 'bob', email, phone, consents });
    expect(await statesOf(account, account.bobId)).to.deep.equal(['email granted', 'sms revoked']);
  });

  it('keeps its consents if another address changes, or in another environment', async () => {
    const account = await arranged();
    await account.svc.call('audience.contact.update', { contactId: account.bobId, email: 'bob2@example.com' });
    expect(await statesOf(account, account.bobId)).to.deep.equal(['email granted', 'sms granted']);
    const stranger = await platform.account();
    await topicOf(stranger.svc);
    const { id } = await contactOf(stranger.svc, { email: 'eve@example.com', consents: [claim(ago(hours(3)))] });
    await stranger.svc.call('audience.contact.update', { contactId: id, email });
    expect(await statesOf(stranger, id)).to.deep.equal(['email granted']);
  });

  it('loses its older consent with an import, row by row and in their order', async () => {
    const account = await arranged();
    const { svc } = account;
    const { import: done } = await runImport(platform, account, {
      contacts: [
        // Cleo is new and moves to the address in a later row; then it goes on to Bob, with newer evidence.
        { externalId: 'cleo', email: 'cleo@example.com', consents: [claim(ago(hours(3)))] },
        ...Array.from({ length: 200 }, (_, index) => ({ externalId: `other-${index}` })),
        { externalId: 'cleo', email },
        { externalId: 'cleo', email: 'cleo@example.com' },
        { externalId: 'bob', email, phone, consents: [claim(ago(hours(1)))] },
      ],
    });
    expect(done).to.deep.include({ status: 'done', rejected: 0 });
    const cleo = await svc.call('audience.contact.get', { externalId: 'cleo' });
    expect(cleo.consents.map(({ state }) => state)).to.deep.equal(['revoked']);
    expect(await statesOf(account, account.bobId)).to.deep.equal(['email granted', 'sms revoked']);
  });

  it('loses its older consent if the other contact gives the address up in the same import', async () => {
    const account = await platform.account();
    const { svc } = account;
    await topicOf(svc);
    await contactOf(svc, { externalId: 'ada', email, consents: [claim(ago(hours(3)))] });
    const { id: bobId } = await contactOf(svc, {
      externalId: 'bob',
      email: 'bob@example.com',
      consents: [claim(ago(hours(3)))],
    });
    await svc.call('audience.consent.revoke', { email, topic: 'news', channel: 'email', source: 'call' });
    platform.clock.advance(hours(1));
    await runImport(platform, account, {
      contacts: [
        { externalId: 'ada', email: 'lovelace@example.com' },
        { externalId: 'bob', email },
      ],
    });
    expect(await statesOf(account, bobId)).to.deep.equal(['email revoked']);
  });

  it('keeps its consents in a dry run', async () => {
    const account = await arranged();
    await runImport(platform, account, { contacts: [{ externalId: 'bob', email, phone }], dryRun: true });
    expect(await statesOf(account, account.bobId)).to.deep.equal(['email granted', 'sms granted']);
  });
});
