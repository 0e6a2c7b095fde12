import { expect } from 'chai';
import { answering, failedDelivery, rename, untilDead, useReceivers } from '#test/developers/webhook/support.js';
import { expectGoodLooks } from '#test/support/page-looks.js';
import { needProducts } from '#test/support/products.js';
import { useConsole } from './support.js';

const hostile = '<img src=x onerror="document.title=\'owned\'"></pre><script>1</script>';

describe('The console, for developers', function () {
  needProducts('developers');
  this.timeout(180_000);
  const test = useConsole();
  const { platform } = test;
  const receiverOf = useReceivers();

  it('finds a failed webhook, reads the response, replays it and all others', async () => {
    const receiver = await receiverOf();
    const account = await platform.account();
    const { endpointId } = await failedDelivery(platform, account.svcTest, receiver);
    receiver.answer = answering(500, `orders: ${hostile}`, { 'x-reason': hostile });
    await rename(account.svcTest, 'Renamed again');
    await untilDead(platform);

    const page = await test.open(account, 'developers/webhook', { side: 'test' });
    const row = page.getByRole('row', { name: /127\.0\.0\.1/ });
    await row.getByText('Failing').waitFor();
    await row.getByRole('link').click();
    await page.getByText(/It has been failing since/).waitFor();
    await page
      .getByRole('row', { name: /Dead.*Answered 500/ })
      .first()
      .getByRole('link')
      .click();
    await page.getByText(`orders: ${hostile}`).waitFor();
    expect(await page.locator('dd', { hasText: hostile }).count()).to.equal(1);
    expect(await page.title()).to.not.contain('owned');
    expect(await page.locator('main img').count()).to.equal(0);

    // It is repaired.
    receiver.answer = answering(200, 'thanks');
    await page.getByRole('button', { name: 'Replay delivery' }).click();
    await page.getByText('thanks').waitFor();
    await page.locator('.head').getByText('Delivered').waitFor();

    await page.locator('.head').getByRole('link').click();
    await page.getByRole('button', { name: 'Replay all 2 failed' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replay all 2 failed' }).click();
    await page.getByText('Deliveries queued again').waitFor();
    await platform.settled();
    const { health } = await account.svcTest.call('developers.webhook.get', { endpointId });
    expect(health).to.deep.include({ delivered: 2, queued: 0, failingSince: null });
    expect(test.complaints).to.deep.equal([]);
  });

  it('tries the deliveries of a repaired webhook now that wait for their next attempt', async () => {
    const receiver = await receiverOf();
    const account = await platform.account();
    const { endpointId } = await failedDelivery(platform, account.svcTest, receiver);
    receiver.answer = answering(200, 'thanks');
    const page = await test.open(account, `developers/webhook/${endpointId}`, { side: 'test' });
    await page.getByRole('button', { name: 'Try waiting ones now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Try waiting ones now' }).click();
    await page.getByText('Waiting deliveries are tried now').waitFor();
    await platform.settled();
    const { health } = await account.svcTest.call('developers.webhook.get', { endpointId });
    expect(health).to.deep.include({ delivered: 1, queued: 0, failingSince: null });
    expect(test.complaints).to.deep.equal([]);
  });

  it('makes a key with chosen permissions, shows it once, and revokes it after saying what happens', async () => {
    const account = await platform.account();
    const page = await test.open(account, 'developers/key');
    await page.getByRole('button', { name: 'Create secret key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(hostile);
    await dialog.getByLabel('email:write').check();
    await dialog.getByLabel('email:read').check();
    await dialog.getByRole('button', { name: 'Create secret key' }).click();
    const secret = await page.getByRole('dialog', { name: 'The new key' }).locator('code').innerText();
    await page.getByRole('button', { name: /Close/ }).click();
    await page.getByRole('link', { name: hostile }).click();
    await page.getByText('email:write').first().waitFor();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByRole('dialog').getByText('It has never been used.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
    await page.locator('.head').getByText('Revoked').waitFor();
    const answer = await fetch(`${platform.running.address}/email/message/list`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
      body: '{}',
    });
    expect(answer.status).to.equal(401);
    expect(test.complaints).to.deep.equal([]);
  });

  it('is accessible and fits phones', async () => {
    const receiver = await receiverOf();
    const account = await platform.account();
    const { endpointId, delivery } = await failedDelivery(platform, account.svcTest, receiver);
    const { keys } = await account.svcTest.call('developers.key.list', {});
    const screens = {
      webhooks: 'developers/webhook',
      webhook: `developers/webhook/${endpointId}`,
      delivery: `developers/webhook.delivery/${delivery.deliveryId}`,
      deliveries: 'developers/webhook.deliveries',
      events: 'developers/event',
      event: `developers/event/${delivery.eventId}`,
      keys: 'developers/key',
      key: `developers/key/${keys[0]?.id ?? ''}`,
    };
    for (const [name, path] of Object.entries(screens)) {
      const page = await test.open(account, path, { side: 'test', bypassCSP: true });
      await page.locator('main .loading').first().waitFor({ state: 'detached' });
      await expectGoodLooks(page, `console-${name}`);
      await page.close();
    }
  });
});
