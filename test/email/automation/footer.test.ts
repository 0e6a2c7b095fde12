import { expect } from 'chai';
import { useMail } from '../support.js';
import { activeAutomation, linesOf, readyToSend, runOf, setProperty, signUp, subscriberOf } from './support.js';

describe('The mail of an automation', () => {
  const mail = useMail();
  const { platform } = mail;

  it('ends with the postal address and the unsubscribe link if its template shows neither', async () => {
    const account = await platform.account();
    const { svc } = account;
    const send = await readyToSend(platform, account);
    const bare = { subject: 'Hello', text: 'Hello', html: '<html><body><p>Hello</p></body></html>' };
    await svc.call('email.template.draft.save', { template: 'bare', locales: { en: bare } });
    await svc.call('email.template.publish', { template: 'bare' });
    await activeAutomation(svc, { steps: [{ ...send, template: 'bare' }] });
    await signUp(svc, await subscriberOf(svc, 'ada@footer.example'));
    const [arrived] = await mail.smtp.waitFor((all) => all.length > 0);
    if (!arrived) throw new Error('Nothing arrived.');
    for (const part of [arrived.parsed.text, arrived.parsed.html])
      expect(part)
        .to.contain('Acme, 1 Main Street')
        .and.to.match(/http\S+\/preferences\?token=/);
  });

  it('is not sent without a postal address: the run fails and says so', async () => {
    const account = await platform.account();
    const { svc } = account;
    const send = await readyToSend(platform, account);
    const { id } = await activeAutomation(svc, { steps: [send, setProperty('seen', true)] });
    await svc.call('email.sender.set', { legalAddress: '' });
    await signUp(svc, await subscriberOf(svc, 'bob@footer.example'));
    await platform.settled();
    const run = await runOf(svc, id);
    expect(linesOf(run)).to.deep.equal(['steps[0] send failed legal_address_missing']);
    expect(run.run).to.include({ status: 'failed', endReason: 'legal_address_missing' });
    expect((await svc.call('email.message.list', {})).messages).to.deep.equal([]);
  });
});
