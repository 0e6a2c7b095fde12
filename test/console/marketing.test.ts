import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { fields } from '#plugins/audience/pages/subscribe/form.js';
import { publish, publisher, subscribe } from '#test/email/broadcast/support.js';
import { at } from '#test/support/json.js';
import { expectGoodLooks } from '#test/support/page-looks.js';
import { startSmtpReceiver, type SmtpReceiver } from '#test/support/smtp-receiver.js';
import { useConsole } from './support.js';

const hostile = '<img src=x onerror="document.title=1">';

describe('The console, marketing', function () {
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

  /** Opens an entry of the navigation. */
  const openEntry = async (page: Page, product: string, entry: string): Promise<void> => {
    const navigation = page.getByRole('navigation', { name: 'Main' });
    if (!(await navigation.getByRole('link', { name: entry, exact: true }).isVisible()))
      await navigation.getByText(product, { exact: true }).click();
    await navigation.getByRole('link', { name: entry, exact: true }).click();
  };

  it('takes a marketer from a CSV to a sent broadcast', async () => {
    const account = await platform.account();
    await account.svc.call('email.sender.set', { legalAddress: 'Fern & Co, Gartenweg 4, Berlin' });
    const page = await test.open(account, '');

    await openEntry(page, 'Audience', 'Topics');
    await page.getByRole('button', { name: 'Create topic' }).first().click();
    await page.getByLabel('Name that people read').fill('Product news');
    await page.getByRole('dialog').getByRole('button', { name: 'Create topic' }).click();
    await page.getByRole('heading', { level: 1, name: 'Product news' }).waitFor();
    await page.getByRole('button', { name: 'Create subscribe form' }).click();
    const form = await page.getByLabel('The form for your own site').innerText();
    const { topic } = await account.svc.call('audience.topic.get', { topic: 'product-news' });
    expect(form).to.contain(`<form action="${topic.subscribeForm?.url ?? ''}" method="post">`);
    // The snippet has the fields that the page reads.
    expect([...form.matchAll(/name="(\w+)"/g)].map(([, name]) => name)).to.deep.equal([
      fields.email,
      fields.firstName,
      fields.trap,
    ]);
    await page.getByRole('button', { name: 'Change subscribe form' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Change subscribe form' }).click();
    await page.getByText('Subscribe form changed.').waitFor();

    await openEntry(page, 'Audience', 'Imports');
    const latin = Buffer.from('E-mail;Vorname\njuergen@one.example;Jürgen\n', 'latin1');
    await page.getByLabel('CSV file').setInputFiles({ name: 'old.csv', mimeType: 'text/csv', buffer: latin });
    await page.getByText('read as Windows-1252').waitFor();
    await page.getByRole('cell', { name: 'Jürgen' }).waitFor();
    await page.getByLabel('CSV file').setInputFiles({
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        'E-mail;Vorname;Plan\nada@one.example;Ada;pro\nnobody;Bob;free\nzoe@one.example;"Zoe; 2";team\n',
      ),
    });
    await page.getByRole('cell', { name: 'Zoe; 2' }).waitFor();
    expect(await page.getByText('read as Windows-1252').count()).to.equal(0);
    expect(await page.getByLabel('Column Vorname fills').inputValue()).to.equal('firstName');
    await page.getByLabel('Topic that these people subscribed to').selectOption({ label: 'Product news' });
    await page.getByLabel('Where they agreed').fill('shop checkout');
    await page.getByRole('button', { name: 'Start import' }).click();
    await page.getByText('must be one email address').waitFor();
    const address = page.url();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download rejected rows' }).click();
    const rejected = await readFile(await (await saving).path(), 'utf8');
    expect(rejected.split('\r\n')[0]).to.equal('row,code,reason,E-mail,Vorname,Plan');
    expect(rejected).to.match(/^2,invalid_input,.*,nobody,Bob,free\r$/m);
    // Progress is at an address of its own, which shows the same after a reload.
    await page.goto(address);
    await page.getByText('must be one email address').waitFor();

    await openEntry(page, 'Email', 'Templates');
    await page.getByRole('button', { name: 'Create template' }).first().click();
    await page.getByRole('dialog').getByLabel('Name').fill('november');
    await page.getByRole('dialog').getByRole('button', { name: 'Create template' }).click();
    await page.getByRole('tab', { name: 'HTML', exact: true }).click();
    const code = page.getByRole('textbox', { name: /^HTML in English/ });
    await code.click();
    await page.keyboard.press('Control+a');
    // Chromium styles what replaces coloured text, which the policy reports.
    await page.keyboard.press('Delete');
    await page.keyboard.insertText('<p>Dear {{ contact.firstName }}, look {{ ');
    await page.getByText('Line 1', { exact: true }).waitFor();
    await page.keyboard.insertText('page }}</p>');
    await page.getByText('No problems').waitFor();
    await page.getByLabel('Subject').fill('The frost, {{ contact.firstName }}');
    await page.getByRole('button', { name: 'Publish version 1' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save and publish version 1' }).click();
    await page.getByText('Version 1 published', { exact: true }).waitFor();

    await openEntry(page, 'Email', 'Broadcasts');
    await page.getByRole('link', { name: 'Create broadcast' }).first().click();
    await page.getByLabel('Name').fill('November letter');
    await page.getByLabel('Template', { exact: true }).selectOption('november');
    await page.getByLabel('page', { exact: true }).fill('19.90');
    await page.getByRole('button', { name: 'Continue to audience' }).click();
    await page.getByLabel('Topic').selectOption({ label: 'Product news' });
    await page.getByRole('button', { name: 'Continue to review' }).click();
    await page.getByText('2 contacts will receive it').waitFor();
    await page.getByText('Everything is ready.').waitFor();
    await page.getByRole('button', { name: 'Continue to schedule' }).click();
    await page.getByRole('button', { name: 'Send to 2 contacts' }).click();
    const asked = await page.getByRole('dialog').innerText();
    for (const text of ['When', 'Now', 'Subject', 'Topic', 'Everybody who subscribed', '2 contacts'])
      expect(asked).to.contain(text);
    await page.getByRole('dialog').getByRole('button', { name: 'Send broadcast' }).click();
    await page.getByText('2 of 2 emails have ended').waitFor();

    const received = await mail.smtp?.waitFor((all) => all.length >= 2);
    const ada = received?.find(({ recipients }) => recipients.includes('ada@one.example'));
    expect(ada?.parsed.subject).to.equal('The frost, Ada');
    expect(ada?.parsed.text).to.contain('Dear Ada, look 19.90');
    expect(test.complaints).to.deep.equal([]);
  });

  it('counts a segment while its conditions are edited, and saves it', async () => {
    const account = await platform.account();
    const people = [
      ['ada', 'pro'],
      ['bob', 'free'],
      ['cy', 'pro'],
    ] as const;
    for (const [name, plan] of people)
      await account.svc.call('audience.contact.upsert', {
        email: `${name}@two.example`,
        firstName: hostile,
        properties: { plan },
      });
    const page = await test.open(account, 'audience/segment/new');
    await page.getByLabel('Name', { exact: true }).fill('Pro or Bob');
    await page.getByLabel('Key of the property').fill('plan');
    await page.getByLabel('Value', { exact: true }).fill('pro');
    const size = page.locator('.big');
    await size.getByText('2', { exact: true }).waitFor();
    await page.getByText(hostile).first().waitFor();
    await page.getByLabel('How the conditions are joined').selectOption('any');
    await page.getByRole('button', { name: 'Add condition' }).click();
    await page.getByLabel('What the condition is about').nth(1).selectOption('email');
    await page.getByLabel('Value', { exact: true }).nth(1).fill('bob@two.example');
    await size.getByText('3', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Create segment' }).click();
    await page.getByRole('heading', { level: 1, name: 'Pro or Bob' }).waitFor();
    const { segments } = await account.svc.call('audience.segment.list', {});
    expect(segments[0]?.definition).to.deep.equal({
      any: [
        { field: 'properties.plan', op: 'eq', value: 'pro' },
        { field: 'email', op: 'eq', value: 'bob@two.example' },
      ],
    });
    expect(test.complaints).to.deep.equal([]);
  });

  it('finds properties that look like numbers, true or false in both forms, and shows conditions as typed', async () => {
    const account = await platform.account();
    for (const [name, code] of [
      ['ada', 12_345],
      ['bob', '12345'],
      ['cy', '19.90'],
      ['dan', true],
      ['eve', 'true'],
    ] as const)
      await account.svc.call('audience.contact.upsert', { email: `${name}@two.example`, properties: { code } });
    const page = await test.open(account, 'audience/segment/new');
    const value = page.getByLabel('Value', { exact: true });
    const size = page.locator('.big');
    await page.getByLabel('Name', { exact: true }).fill('Codes');
    await page.getByLabel('Key of the property').fill('code');
    await value.fill('12345');
    await size.getByText('2', { exact: true }).waitFor();
    await page.getByLabel('Comparison').selectOption('neq');
    await size.getByText('3', { exact: true }).waitFor();
    await page.getByLabel('Comparison').selectOption('gt');
    await value.fill('12344');
    await size.getByText('1', { exact: true }).waitFor();
    await page.getByLabel('Comparison').selectOption('in');
    await page.getByLabel('Values, separated by commas').fill('true, 19.90');
    await size.getByText('3', { exact: true }).waitFor();
    await page.getByLabel('Comparison').selectOption('neq');
    await value.fill('19.90');
    await size.getByText('4', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Create segment' }).click();
    await page.getByRole('heading', { level: 1, name: 'Codes' }).waitFor();

    await page.reload();
    await size.getByText('4', { exact: true }).waitFor();
    expect(await page.getByLabel('Comparison').inputValue()).to.equal('neq');
    expect(await value.inputValue()).to.equal('19.90');
    await page.getByLabel('Comparison').selectOption('in');
    await page.getByLabel('Values, separated by commas').fill('12345');
    await page.getByRole('button', { name: 'Save segment' }).click();
    await page.getByText('Segment saved.').waitFor();
    await page.reload();
    await size.getByText('2', { exact: true }).waitFor();
    expect(await page.getByLabel('Comparison').inputValue()).to.equal('in');
    expect(await page.getByLabel('Values, separated by commas').inputValue()).to.equal('12345');
    expect(test.complaints).to.deep.equal([]);
  });

  it('names the chosen segment of a broadcast, also if there are more than a list shows', async () => {
    const account = await platform.account();
    const definition = { field: 'properties.plan', op: 'eq', value: 'pro' } as const;
    const make = (name: string) => account.svc.call('audience.segment.create', { name, definition });
    const oldest = await make('The oldest');
    await Promise.all(Array.from({ length: 100 }, (_, n) => make(`Segment ${n}`)));
    const page = await test.open(account, `email/broadcast/new?step=Audience&segmentId=${oldest.segment.id}`);
    await page.getByRole('option', { name: 'Segment 99' }).waitFor({ state: 'attached' });
    await page.getByRole('option', { name: 'The oldest' }).waitFor({ state: 'attached' });
    expect(await page.getByLabel('Segment').inputValue()).to.equal(oldest.segment.id);
  });

  it('edits an automation on its tree', async () => {
    const account = await publisher(platform);
    await publish(account, { en: { subject: 'Hello', text: 'Hello' } }, { name: 'welcome' });
    const page = await test.open(account, 'email/automation/new');
    await page.getByLabel('Name').fill('Welcome');
    await page.getByLabel('Event').fill('signup.completed');
    await page.getByLabel('Add a step here').first().selectOption('send');
    await page.getByLabel('Template').selectOption('welcome');
    await page.getByLabel('Topic').selectOption('news');
    await page.getByRole('button', { name: /^Use / }).click();
    await page.getByLabel('Add a step here').last().selectOption('wait');
    await page.getByLabel('How long').fill('3');
    await page.getByRole('button', { name: 'Create automation' }).click();
    await page.getByRole('button', { name: 'Activate automation' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Activate automation' }).click();
    await page.getByText('Active', { exact: true }).waitFor();
    const { contact } = await account.svc.call('audience.contact.upsert', {
      email: 'ada@three.example',
      consents: [{ topic: 'news', channel: 'email', source: 'form' }],
    });
    await account.svc.call('audience.event.record', { contactId: contact.id, name: 'signup.completed' });
    await page.getByRole('button', { name: 'Live' }).click();
    await page.getByText('1 run here').waitFor();
    const { automations } = await account.svc.call('email.automation.list', {});
    expect(automations[0]?.steps[1]).to.deep.include({ type: 'wait', seconds: 259_200 });
    await page.locator('table.rows .row-link').click();
    await page.getByText('Is here').waitFor();
    expect(test.complaints).to.deep.equal([]);
  });

  it('looks good on every screen', async () => {
    const account = await publisher(platform);
    await publish(account, { en: { subject: `Hello ${hostile}`, html: '<p>Hello {{ page }}</p>' } });
    await subscribe(account, ['ada@four.example'], { firstName: hostile });
    const { svc, from } = account;
    const { broadcast } = await svc.call('email.broadcast.create', {
      name: hostile,
      template: 'news',
      topic: 'news',
      from,
    });
    const { segment } = await svc.call('audience.segment.create', {
      name: hostile,
      definition: {
        all: [{ field: 'consent.news', op: 'eq', value: 'granted' }, { any: [{ field: 'email', op: 'exists' }] }],
      },
    });
    const { automation } = await svc.call('email.automation.create', {
      name: hostile,
      triggerEvent: 'signup.completed',
      steps: [
        {
          type: 'branch',
          if: { field: 'properties.plan', op: 'eq', value: hostile },
          then: [{ type: 'wait', seconds: 60 }],
          else: [],
        },
        { type: 'send', template: 'absent', topic: 'news', from },
      ],
    });
    await svc.call('audience.topic.update', { topic: 'news', name: hostile, subscribeForm: {} });
    const imported: unknown = await svc.call('audience.contact.import', {
      contacts: [{ email: 'x' }, { email: 'eve@four.example' }],
    });
    const screens = {
      import: `audience/import/${String(at(imported, 'import', 'id'))}`,
      segment: `audience/segment/${segment.id}`,
      topic: 'audience/topic/news',
      template: 'email/template/news',
      broadcasts: 'email/broadcast',
      review: `email/broadcast/${broadcast.id}?step=Review`,
      automation: `email/automation/${automation.id}`,
    };
    const page = await test.open(account, 'audience', { bypassCSP: true });
    for (const [name, path] of Object.entries(screens)) {
      await page.goto(page.url().replace(/(console\/[^/]+)\/.*$/, `$1/${path}`));
      await page.locator('main h1').first().waitFor();
      await page.waitForFunction('document.querySelector("main .loading") === null');
      await expectGoodLooks(page, `console-${name}`);
    }
    expect(await page.locator('main img').count()).to.equal(0);
  });
});
