import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { texts } from './support.js';

describe('Saves and publishes of one template at once', () => {
  const platform = usePlatform();

  it('succeed, or say that the draft has changed: none is answered with 503', async () => {
    const { svc } = await platform.account();
    const template = 'order.shipped';
    await svc.call('email.template.draft.save', { template, locales: { en: texts() } });
    const save = (index: number) =>
      svc.raw(
        '/email/template/draft/save',
        JSON.stringify({ template, locales: { en: { ...texts(), subject: `Number ${index}` } } }),
      );
    const publish = () => svc.raw('/email/template/publish', JSON.stringify({ template }));
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? save(index) : publish())),
      );
      for (const { status, text } of answers)
        expect(status === 200 || (status === 409 && text.includes('changed_meanwhile')), text).to.equal(true);
    }
  });

  it('publish one draft once, if twenty calls publish it', async () => {
    const { svc, live } = await platform.account();
    const template = 'order.paid';
    await svc.call('email.template.draft.save', { template, locales: { en: texts() } });
    const versions = await Promise.all(
      Array.from({ length: 20 }, async () => (await svc.call('email.template.publish', { template })).version),
    );
    expect(versions).to.deep.equal(versions.map(() => 1));
    const published = (await platform.events(live)).filter(({ type }) => type === 'email.template.published');
    expect(published).to.have.length(1);
  });
});
