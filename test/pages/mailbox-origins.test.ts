import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { messages } from '#plugins/email/tables/message.js';
import { useBrowser } from '#test/support/browser.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';

describe('What the mailbox page says of where a message comes from', function () {
  this.timeout(60_000);
  needProducts('email');
  const platform = usePlatform();
  const browser = useBrowser();

  /** A message in the mailbox that belongs to what `given` says. */
  async function sent({ svc }: TestAccount, subject: string, given: object = {}): Promise<string> {
    const input = {
      to: 'ada@example.com',
      subject,
      text: 'Hello',
      headers: { 'List-Unsubscribe': '<https://shop.example/u>' },
    };
    const { messageId } = await svc.call('email.send', input);
    await platform.settled();
    if (Object.keys(given).length > 0)
      await platform.running.services.database.update(messages, { id: messageId }, given);
    return messageId;
  }
  const read = async (query: string): Promise<string> =>
    (await fetch(`${platform.running.address}/dev/mailbox${query}`)).text();
  const subjectsIn = (body: string): string[] =>
    [...body.matchAll(/<span class="subject">.*?<bdi>([^<]*)<\/bdi>/gs)].map(([, subject = '']) => subject);

  it('marks broadcasts, automations and test environments, and filters by them', async () => {
    const account = await platform.account();
    const broadcastId = newId();
    await sent(account, 'A receipt');
    await sent(account, 'News', {
      broadcastId,
      template: 'news',
      templateVersion: 3,
      templateLocale: 'de',
      topic: 'news',
    });
    await sent(account, 'Welcome', { automationId: newId() });
    const { messageId } = await account.svcTest.call('email.send', {
      to: account.ownerEmail,
      subject: 'A test',
      text: 'x',
    });
    await platform.settled();

    expect(subjectsIn(await read(''))).to.deep.equal(['A test', 'Welcome', 'News', 'A receipt']);
    expect(subjectsIn(await read('?kind=broadcast'))).to.deep.equal(['News']);
    expect(subjectsIn(await read('?kind=automation'))).to.deep.equal(['Welcome']);
    expect(subjectsIn(await read('?kind=single'))).to.deep.equal(['A test', 'A receipt']);
    expect(subjectsIn(await read('?kind=single&q=receipt'))).to.deep.equal(['A receipt']);
    expect(await read('?kind=system')).to.contain('Nothing found');

    const page = await browser.open();
    await page.goto(`${platform.running.address}/dev/mailbox`);
    await page.getByRole('link', { name: /Broadcast.*News/ }).waitFor();
    await page.getByRole('link', { name: /Test.*A test/ }).waitFor();
    await page.getByRole('link', { name: 'Broadcasts' }).click();
    await page.getByRole('link', { name: /News/ }).click();
    const facts = page.locator('dl.about');
    for (const fact of [broadcastId, 'news, version 3, de', 'the live environment'])
      await facts.getByText(fact, { exact: false }).first().waitFor();
    expect(await facts.innerText()).to.contain(`A broadcast (email.broadcast.get ${broadcastId})`);
    await page.getByRole('link', { name: 'Links (1)' }).click();
    await page.getByRole('link', { name: 'https://shop.example/u' }).waitFor();

    await page.goto(`${platform.running.address}/dev/mailbox?q=test`);
    await page.getByRole('link', { name: /A test/ }).click();
    await facts.getByText(messageId).waitFor();
    await facts.getByText('the test environment').waitFor();
  });
});
