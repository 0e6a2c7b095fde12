import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { publish } from './support.js';

describe('sms.template.publish', () => {
  const platform = usePlatform();

  it('makes the draft the next version, which never changes', async () => {
    const { svc, live } = await platform.account();
    const first = await publish(svc, 'welcome');
    expect(first.version).to.equal(1);
    expect(first.template).to.deep.include({
      publishedVersion: 1,
      hasDraft: false,
      variables: ['number', 'firstName'],
    });
    expect((await publish(svc, 'welcome', { en: { body: 'Second' } })).version).to.equal(2);
    const { published, versions } = await svc.call('sms.template.get', { template: 'welcome', version: 1 });
    expect(published?.['en']?.body).to.contain('Order {{ number }}');
    expect(versions.map(({ version }) => version)).to.deep.equal([2, 1]);
    await platform.settled();
    const events = (await platform.events(live)).filter(({ type }) => type === 'sms.template.published');
    expect(events.map(({ subjectId, data }) => [subjectId, data['version']])).to.deep.equal([
      ['welcome', 1],
      ['welcome', 2],
    ]);
  });

  it('answers as done, without an event, if there is no draft and a version is published', async () => {
    const { svc, live } = await platform.account();
    const first = await publish(svc, 'welcome');
    expect(await svc.call('sms.template.publish', { template: 'welcome' })).to.deep.equal(first);
    await platform.settled();
    expect(await platform.events(live)).to.have.length(2);
  });

  it('refuses templates that are not there', async () => {
    const { svc } = await platform.account();
    expect((await svc.refusal('sms.template.publish', { template: 'nowhere' })).code).to.equal('not_found');
  });
});
