import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { startExample } from './support.js';

describe('examples/template', function () {
  this.timeout(60_000);
  needProducts('email');
  const platform = usePlatform();

  it('saves, previews, publishes and sends a template in the recipient’s language', async () => {
    const { keys, svc } = await platform.account();
    const example = startExample(['template/template.ts', 'ada@example.com', 'de-AT'], {
      SVC_API_URL: platform.running.address,
      SVC_API_KEY: keys.live.secret,
    });
    const [code, printed] = [await example.ended(), example.printed()];
    expect(code, printed).to.equal(0);
    expect(printed).to.contain('Gute Nachrichten, Ada\n\nIhre Bestellung ist unterwegs.');
    expect(printed).to.contain('Version 1 of order.shipped, in de: Ihre Bestellung A-1024 ist unterwegs');
    const { messages } = await svc.call('email.message.list', { template: 'order.shipped' });
    expect(messages.map(({ to, templateVersion }) => [to, templateVersion])).to.deep.equal([[['ada@example.com'], 1]]);
  });
});
