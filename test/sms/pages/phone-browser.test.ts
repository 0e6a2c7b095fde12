import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { logProvider } from '#plugins/sms/providers/log/provider.js';
import { useBrowser } from '#test/support/browser.js';
import { expectGoodLooks } from '#test/support/page-looks.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';

const phone = '+4915123456789';

describe('the phone page in a browser', function () {
  this.timeout(60_000);
  const platform = usePlatform();
  const browser = useBrowser();

  const given = async (): Promise<{ account: TestAccount; number: string; send: (body: string) => Promise<void> }> => {
    const account = await platform.account();
    const { number } = (await account.svc.call('sms.number.assign', { country: 'US' })).number;
    const send = async (body: string): Promise<void> => {
      const provider = logProvider(platform.running.services);
      await provider.send({ messageId: 'm', from: number, to: phone, body, statusUrl: '' });
    };
    return { account, number, send };
  };
  const open = async (options = {}): Promise<Page> => {
    const page = await browser.open({ locale: 'en-GB', ...options });
    await page.goto(`${platform.running.address}/dev/phone`);
    return page;
  };
  const list = async ({ svc }: TestAccount): Promise<(string | null)[][]> =>
    (await svc.call('sms.inbound.list', {})).inbound.map(({ from, to, body, keyword }) => [from, to, body, keyword]);

  it('shows new texts by itself', async () => {
    const { send } = await given();
    await send('First text');
    const page = await open();
    await page.getByRole('link', { name: new RegExp(phone.slice(1)) }).click();
    await page.getByText('First text').waitFor();
    await send('Second text');
    await page.getByText('Second text').waitFor();
    expect(await page.getByRole('status').textContent()).to.equal('One new message');
    await page.getByRole('link', { name: 'All phones' }).click();
    await page.getByText('Second text').waitFor();
  });

  it('works without scripts: answers as the recipient, sends STOP, writes from a new phone, clears', async () => {
    const { account, number, send } = await given();
    await send('Reply to me');
    const page = await open({ javaScriptEnabled: false });
    await page.getByRole('link', { name: new RegExp(phone.slice(1)) }).click();
    await page.getByLabel('Answer').fill('See you at five');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('See you at five').waitFor();
    await page.getByRole('button', { name: 'STOP' }).click();
    await page.getByText('STOP', { exact: true }).first().waitFor();
    expect(await list(account)).to.deep.equal([
      [phone, number, 'STOP', 'stop'],
      [phone, number, 'See you at five', null],
    ]);
    await page.getByRole('link', { name: 'All phones' }).click();
    await page.getByText('Write from a phone').click();
    await page.getByLabel('From').fill('+15005550188');
    await page.getByLabel('To').selectOption(number);
    await page.getByLabel('Text', { exact: true }).fill('join');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: '+15005550188' }).waitFor();
    expect((await list(account))[0]).to.deep.equal(['+15005550188', number, 'join', null]);
    await page.getByRole('link', { name: 'All phones' }).click();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('button', { name: 'Delete all' }).click();
    await page.getByText('No texts yet').waitFor();
  });

  it('finds a phone among many without scripts, and lets a new one write without reading to the end', async () => {
    await given();
    const provider = logProvider(platform.running.services);
    for (let n = 0; n < 60; n += 1)
      await provider.send({
        messageId: 'm',
        from: '+15005550006',
        to: `+49151000010${n + 10}`,
        body: 'Hi',
        statusUrl: '',
      });
    const page = await open({ javaScriptEnabled: false });
    const phones = page.locator('.entries .subject');
    expect(await phones.count()).to.equal(50);
    await page.getByLabel('Search for a phone number').fill('0151 0000 1012');
    await page.getByRole('button', { name: 'Search' }).click();
    expect(await phones.allTextContents()).to.deep.equal(['+4915100001012']);
    await page.getByRole('link', { name: 'All phones' }).click();
    await page.getByRole('link', { name: 'More phones' }).click();
    expect(await phones.allTextContents())
      .to.include('+4915100001010')
      .and.to.have.length.within(10, 20);
    await page.getByRole('link', { name: 'All phones' }).click();
    const [summary, first] = [page.getByText('Write from a phone'), phones.first()];
    const [form, list] = [await summary.boundingBox(), await first.boundingBox()];
    expect(form?.y).to.be.lessThan(list?.y ?? 0);
    await page.getByLabel('Search for a phone number').fill('999999');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('Nothing found').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('button', { name: 'Delete all' }).click();
    await page.getByText('No texts yet').waitFor();
  });

  it('says what is wrong with a number, and keeps what was written', async () => {
    await given();
    const page = await open();
    await page.getByLabel('From').fill('0151 23456789');
    await page.getByLabel('Text', { exact: true }).fill('Hello');
    await page.getByRole('button', { name: 'Send' }).click();
    expect(await page.getByRole('alert').textContent()).to.contain('with + and the country code');
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).to.equal('Hello');
    expect(await page.getByLabel('From').inputValue()).to.equal('0151 23456789');
  });

  it('looks good in light and dark, and on a phone', async () => {
    const { send } = await given();
    await send('https://shop.example/orders/A-1024?confirm=a-very-long-word-without-any-space-in-it-0123456789');
    const page = await open({ bypassCSP: true });
    await expectGoodLooks(page, 'phones');
    await page.getByText('Write from a phone').click();
    await expectGoodLooks(page, 'phone-new');
    await page.getByRole('link', { name: new RegExp(phone.slice(1)) }).click();
    await expectGoodLooks(page, 'phone-conversation');
  });
});
