import { expect } from 'chai';
import { at } from '#test/support/json.js';
import { usePlatform } from '#test/support/platform.js';
import { id, refused, stored } from './hostile-mails.js';
import { ingest, inboundSecret, ownDomain, rawMail } from './support.js';

describe('Hostile mail', function () {
  this.timeout(120_000);
  const platform = usePlatform({ settings: () => ({ SVC_INBOUND_SECRET: inboundSecret }) });

  for (const [what, raw] of stored)
    it(`${what} is stored and can be read`, async () => {
      const account = await platform.account();
      const { status, body } = await ingest(platform, raw, { to: `help@${await ownDomain(account)}` });
      expect([status, at(body, 'status')]).to.deep.equal([200, 'stored']);
      const { inbound } = await account.svc.call('email.inbound.list', {});
      await account.svc.call('email.inbound.get', { inboundId: inbound[0]?.inboundId ?? '' });
    });

  it('with elements nested 100,000 deep keeps its text, and its HTML as a file', async () => {
    const account = await platform.account();
    const html = `${'<div><b><i>'.repeat(33_000)}Hello there`;
    const raw = rawMail({ 'Content-Type': 'text/html' }, html);
    const { body } = await ingest(platform, raw, { to: `help@${await ownDomain(account)}` });
    const inboundId = String(at(body, 'inboundId'));
    const received = await account.svc.call('email.inbound.get', { inboundId });
    expect([received.text?.trim(), received.html]).to.deep.equal(['Hello there', null]);
    expect(received.attachments.map(({ filename, contentType }) => [filename, contentType])).to.deep.equal([
      ['message.html', 'text/html'],
    ]);
  });

  for (const [what, raw, reason] of refused)
    it(`${what} is refused as ${reason}`, async () => {
      const account = await platform.account();
      const { status, body } = await ingest(platform, raw, { to: `help@${await ownDomain(account)}` });
      expect([status, at(body, 'status'), at(body, 'reason')]).to.deep.equal([200, 'refused', reason]);
      expect((await account.svc.call('email.inbound.list', {})).inbound).to.deep.equal([]);
      const events = (await platform.events(account.live)).filter(({ type }) => type === 'email.inbound.refused');
      expect(events.map(({ data }) => at(data, 'refused', 'reason'))).to.deep.equal([reason]);
    });

  it('delays no other request for long', async () => {
    const account = await platform.account();
    const to = `help@${await ownDomain(account)}`;
    let longest = 0;
    let last = performance.now();
    const beat = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    const bodies = ['<table><tr><td>\r\n'.repeat(60_000), '&amp;<b><i>'.repeat(90_000), '<!--'.repeat(250_000)];
    const answers = await Promise.all(
      bodies.map((body) =>
        ingest(platform, rawMail({ 'Content-Type': 'text/html', 'Message-ID': id() }, body), { to }),
      ),
    );
    clearInterval(beat);
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    // One of these parsed on the event loop takes seconds; the bound leaves room for a busy machine.
    expect(longest).to.be.lessThan(2_000);
  });
});
