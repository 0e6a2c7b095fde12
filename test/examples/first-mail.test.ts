import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { startExample } from './support.js';

describe('examples/first-mail', function () {
  this.timeout(60_000);
  needProducts('email');
  const platform = usePlatform();

  const run = async (file: string, key: string, to: string): Promise<{ code: number | null; printed: string }> => {
    const example = startExample([`first-mail/${file}`, to], {
      SVC_API_URL: platform.running.address,
      SVC_API_KEY: key,
    });
    return { code: await example.ended(), printed: example.printed() };
  };

  it('sends a mail with the SDK and follows it until it has left', async () => {
    const { keys, svc } = await platform.account();
    const { code, printed } = await run('first-mail.ts', keys.live.secret, 'ada@example.com');
    expect(code, printed).to.equal(0);
    expect(printed).to.match(/^Accepted as \S+: queued\nada@example\.com: sent/);
    const { messages } = await svc.call('email.message.list', {});
    expect(messages.map(({ to, subject }) => [to, subject])).to.deep.equal([[['ada@example.com'], 'Hello Ada']]);
  });

  it('says why a mail of a test environment does not leave', async () => {
    const { keys } = await platform.account();
    const { code, printed } = await run('first-mail.ts', keys.test.secret, 'ada@example.com');
    expect(code, printed).to.equal(0);
    expect(printed).to.contain(': suppressed').and.contain('It will not leave: ');
  });

  it('prints the code and the next step of a refusal', async () => {
    const { code, printed } = await run('first-mail.ts', 'svc_live_wrong', 'ada@example.com');
    expect(code).to.equal(1);
    expect(printed).to.match(/^unauthenticated: .+\n.+/);
  });

  it('sends the same mail with curl', async () => {
    const { keys, svc } = await platform.account();
    const { code, printed } = await run('first-mail.sh', keys.live.secret, 'grace@example.com');
    expect(code, printed).to.equal(0);
    const { messages } = await svc.call('email.message.list', {});
    expect(messages.map(({ to, subject }) => [to, subject])).to.deep.equal([[['grace@example.com'], 'Hello Ada']]);
  });
});
