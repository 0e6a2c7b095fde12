import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { draft, publish, publisher, shown, subscribe, type Publisher } from '#test/email/broadcast/support.js';
import { startSmtpReceiver, type SmtpReceiver } from '#test/support/smtp-receiver.js';
import { needProducts } from '#test/support/products.js';
import type { TestAccount } from '#test/support/platform.js';
import { useConsole } from './support.js';

describe('The console, when the answer to a write is lost', function () {
  needProducts('auth', 'email');
  this.timeout(120_000);
  const mail: { smtp?: SmtpReceiver } = {};
  const test = useConsole({
    async settings() {
      mail.smtp = await startSmtpReceiver();
      return { SVC_SMTP_URL: `smtp://127.0.0.1:${mail.smtp.port}` };
    },
  });
  const { platform } = test;
  after(() => mail.smtp?.close());

  /** The server carries the first request out; its answer, and every later request, is lost. @returns what ends it */
  async function loseAnswers(page: Page, write: string, ...reads: string[]): Promise<() => Promise<void>> {
    const sent: { first?: Promise<unknown> } = {};
    await page.route(`**/${write}`, async (route) => {
      await (sent.first ??= route.fetch());
      await route.abort('connectionreset');
    });
    const foundReads = await loseReads(page, ...reads);
    return async () => {
      await page.unroute(`**/${write}`);
      await foundReads();
    };
  }

  /** Every read is lost. @returns what ends it */
  async function loseReads(page: Page, ...reads: string[]): Promise<() => Promise<void>> {
    for (const read of reads) await page.route(`**/${read}`, (route) => route.abort('connectionreset'));
    return async () => {
      for (const read of reads) await page.unroute(`**/${read}`);
    };
  }

  const times = async ({ svc }: TestAccount, operation: string): Promise<number> =>
    (await svc.call('account.activity.list', { operation })).activities.length;

  /** A complete draft for one contact. */
  async function ready(email: string): Promise<{ account: Publisher; broadcastId: string; path: string }> {
    const account = await publisher(platform);
    await publish(account, { en: { subject: 'Hello', text: 'Hello' } });
    await subscribe(account, [email]);
    const { broadcast } = await account.svc.call('email.broadcast.create', draft(account));
    return { account, broadcastId: broadcast.id, path: `email/broadcast/${broadcast.id}?step=Schedule` };
  }

  const pressSend = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'Send to 1 contact' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send broadcast' }).click();
  };

  it('shows the broadcast that was sent as soon as it can be read, and never leads to another one', async () => {
    const { account, broadcastId, path } = await ready('ada@lost.example');
    const page = await test.open(account, path);
    const found = await loseAnswers(page, 'email/broadcast/send');
    await pressSend(page);
    await page.getByText(/^1 of 1 email/).waitFor();
    expect(await page.getByRole('link', { name: 'Create broadcast' }).count()).to.equal(0);
    await found();
    expect((await shown(account, broadcastId)).status).to.equal('sent');
    expect(test.complaints).to.deep.equal([]);
  });

  it('repeats only the second write of an action, with the same key', async () => {
    const { account, path } = await ready('bob@lost.example');
    const page = await test.open(account, path);
    // While the screen cannot be read, it still offers to send.
    const foundReads = await loseReads(page, 'email/broadcast/get');
    const found = await loseAnswers(page, 'email/broadcast/send');
    await pressSend(page);
    await page.getByText('The server cannot be reached.').waitFor();
    await found();
    await pressSend(page);
    await page.getByText('The broadcast is being sent.').waitFor();
    await foundReads();
    await page.getByText(/^1 of 1 email/).waitFor();
    expect(await times(account, 'email.broadcast.update')).to.equal(1);
    expect(await times(account, 'email.broadcast.send')).to.equal(1);
    await mail.smtp?.waitFor((all) => all.some(({ recipients }) => recipients.includes('bob@lost.example')));
    expect(mail.smtp?.received.filter(({ recipients }) => recipients.includes('bob@lost.example'))).to.have.length(1);
  });

  it('publishes a theme once', async () => {
    const account = await platform.account();
    const page = await test.open(account, 'account/theme');
    const press = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Publish theme' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Publish theme' }).click();
    };
    await page.getByLabel('Brand name').fill('Ada & Sons');
    const found = await loseAnswers(page, 'account/theme/publish', 'account/theme/get');
    await press();
    await page.getByText('The server cannot be reached.').waitFor();
    // The page still shows the draft: after a read, it would show the published theme, and publish another version.
    await page.unroute('**/account/theme/publish');
    await press();
    await page.getByText('Theme published.').waitFor();
    await found();
    const { published } = await account.svc.call('account.theme.get', {});
    expect(published).to.include({ brandName: 'Ada & Sons', version: 1 });
    expect(await times(account, 'account.theme.draft.save')).to.equal(1);
  });

  it('saves what a theme is by then, if it was edited before the repeat', async () => {
    const account = await platform.account();
    const page = await test.open(account, 'account/theme');
    const name = page.getByLabel('Brand name');
    await name.fill('Ada');
    const found = await loseAnswers(page, 'account/theme/draft/save', 'account/theme/get');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('The server cannot be reached.').waitFor();
    await found();
    await name.fill('Ada & Sons');
    await page.getByRole('button', { name: 'Try again' }).first().click();
    // The lost save was carried out: this one would be refused until it is known.
    await page.getByText('You saved another version').or(page.getByText('Draft saved.')).first().waitFor();
    const save = page.getByRole('button', { name: 'Save draft' });
    if (await save.isEnabled()) await save.click();
    await page.getByText('Draft saved.').waitFor();
    expect((await account.svc.call('account.theme.get', {})).draft).to.include({ brandName: 'Ada & Sons' });
    expect(await name.inputValue()).to.equal('Ada & Sons');
  });

  it('keeps the key of a lost write while another one is refused', async () => {
    const account = await platform.account();
    const page = await test.open(account, 'do/audience.topic.create');
    const key = page.getByLabel('Key', { exact: false }).first();
    const create = page.getByRole('button', { name: 'Create topic' });
    await page.getByLabel('Name', { exact: false }).first().fill('Letters');
    await key.fill('letters');
    const found = await loseAnswers(page, 'audience/topic/create');
    await create.click();
    await page.getByText('The server cannot be reached.').waitFor();
    await found();
    await key.fill('No key!');
    await create.click();
    await page.locator('[aria-invalid]').first().waitFor();
    await key.fill('letters');
    await create.click();
    await page.locator('.toast').first().waitFor();
    expect(await times(account, 'audience.topic.create')).to.equal(1);
  });

  it('reads the screen again after a refusal, so that it shows what caused it', async () => {
    const { account, broadcastId, path } = await ready('cy@lost.example');
    const page = await test.open(account, path);
    await page.getByRole('button', { name: 'Send to 1 contact' }).waitFor();
    await account.svc.call('email.broadcast.send', { broadcastId });
    await pressSend(page);
    await page.getByText(/^1 of 1 email/).waitFor();
    expect(await times(account, 'email.broadcast.send')).to.equal(1);
  });
});
