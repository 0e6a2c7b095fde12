import { expect } from 'chai';
import { publish, publisher } from '#test/email/broadcast/support.js';
import { activeAutomation, branch, setProperty, wait } from '#test/email/automation/support.js';
import { expectGoodLooks } from '#test/support/page-looks.js';
import { startSmtpReceiver, type SmtpReceiver } from '#test/support/smtp-receiver.js';
import { useConsole } from './support.js';

const hostile = '<img src=x onerror="document.title=1">';

describe('The console, automations', function () {
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

  /** An automation with two people: one got the email and waits, one was never asked. */
  const twoInside = async () => {
    const account = await publisher(platform);
    const { svc, from } = account;
    await publish(account, { en: { subject: `Hello ${hostile}`, text: 'Hello' } }, { name: 'welcome' });
    const send = { type: 'send', template: 'welcome', topic: 'news', from };
    const isPro = { field: 'context.plan', op: 'eq', value: 'pro' };
    const automation = await activeAutomation(svc, {
      triggerEvent: 'signup.completed',
      steps: [send, wait(3 * 86_400), branch(isPro, [setProperty('onboarded', true)])],
    });
    const people = [
      { email: 'ada@one.example', firstName: hostile, consents: [{ topic: 'news', channel: 'email', source: 'form' }] },
      { email: 'eve@one.example', properties: { seats: 3 } },
    ] as const;
    for (const person of people) {
      const { consents, ...fields } = { consents: undefined, ...person };
      const { contact } = await svc.call('audience.contact.upsert', {
        ...fields,
        ...(consents ? { consents: [{ topic: 'news', channel: 'email', source: 'form' }] } : {}),
      });
      await svc.call('audience.event.record', {
        contactId: contact.id,
        name: 'signup.completed',
        properties: { plan: 'pro', country: 'DE' },
      });
    }
    await platform.settled();
    return { account, automation };
  };

  it('shows figures at each step, and tries it with a person by keyboard', async () => {
    const { account, automation } = await twoInside();
    const page = await test.open(account, `email/automation/${automation.id}`, { bypassCSP: true });
    await page.getByText('2 entered, 1 sent, 1 blocked').waitFor();
    await page.getByText('2 runs here').waitFor();
    await page.getByRole('button', { name: 'Try with a person' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Try with a person' });
    await dialog.getByLabel('Person').fill('ada@one.example');
    await dialog.getByText('Email “welcome”: is sent').waitFor();
    await dialog.getByText('If Property of the event plan is pro: no').waitFor();
    await dialog.getByLabel('Properties of the event').fill('plan = pro');
    await dialog.getByText('If Property of the event plan is pro: yes').waitFor();
    await dialog.getByText(`Hello ${hostile}`).click();
    await expectGoodLooks(page, 'console-automation-trial');
    await dialog.getByLabel('Person').fill('eve@one.example');
    await dialog.getByText('Email “welcome”: is not sent').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.title()).not.to.equal('1');
    expect((await account.svc.call('email.message.list', {})).messages).to.have.length(1);
    expect(test.complaints).to.deep.equal([]);
  });

  it('says what an edit does to the people inside, and marks problems at their step and field', async () => {
    const { account, automation } = await twoInside();
    const page = await test.open(account, `email/automation/${automation.id}`, { bypassCSP: true });
    await page.getByRole('button', { name: /^Wait 3 days/ }).click();
    await page.getByLabel('How long').fill('4');
    await page.getByText('2 runs at “Wait 3 days”: they stay at it.').waitFor();
    await page.getByRole('button', { name: 'Remove step' }).click();
    await page.getByText('2 runs at “Wait 3 days”: the step is removed, and they end there.').waitFor();
    await page.getByRole('button', { name: /^Email “welcome”/ }).click();
    await page.getByLabel('From').fill('nobody');
    await page.getByRole('button', { name: 'Save automation' }).click();
    const from = page.getByLabel('From');
    await page.locator('[aria-invalid=true]').waitFor();
    expect(await from.getAttribute('aria-invalid')).to.equal('true');
    await from.fill('hello@nowhere.example.com');
    await page.getByRole('button', { name: 'Save automation' }).click();
    await page.getByText('Automation saved.').waitFor();
    await page.locator('.node.err').waitFor();
    expect(await page.locator('.node.err').count()).to.equal(1);
    expect(await from.getAttribute('aria-invalid')).to.equal('true');
    await expectGoodLooks(page, 'console-automation-problems');
    expect(test.complaints).to.deep.equal([]);
  });

  it('offers the events and properties that exist, in one builder for segments, triggers and branches', async () => {
    const { account, automation } = await twoInside();
    const page = await test.open(account, `email/automation/${automation.id}`, { bypassCSP: true });
    const offered = async (label: string): Promise<string[]> => {
      const list = await page.getByLabel(label).first().getAttribute('list');
      await page
        .locator(`[id="${list ?? ''}"] option`)
        .first()
        .waitFor({ state: 'attached' });
      return page
        .locator(`[id="${list ?? ''}"] option`)
        .evaluateAll((options) => options.map((each) => each.getAttribute('value') ?? ''));
    };
    expect(await offered('Event')).to.include.members(['signup.completed', 'audience.consent.granted']);
    await page.getByLabel('Only if a condition holds').check();
    expect(await offered('Key of the property')).to.deep.equal(['country', 'plan']);
    await page.getByLabel('Key of the property').fill('country');
    await page.getByLabel('Value').fill('DE');
    await page.getByRole('button', { name: /^If/ }).click();
    await page.getByLabel('What the condition is about').selectOption('Consent by email');
    await page.getByLabel('Topic').selectOption('news');
    await page.getByLabel('State').selectOption('unsubscribed');
    await page.getByRole('button', { name: 'Save automation' }).click();
    await page.getByText('Automation saved.').waitFor();
    const saved = (await account.svc.call('email.automation.get', { automationId: automation.id })).automation;
    expect(saved.triggerFilter).to.deep.equal({ field: 'context.country', op: 'eq', value: 'DE' });
    expect(saved.steps[2]).to.deep.include({ if: { field: 'consent.email.news', op: 'eq', value: false } });
    await page.goto(page.url().replace(/email\/.*$/, 'audience/segment/new'));
    expect(await offered('Key of the property')).to.deep.equal(['seats']);
    await page.getByLabel('What the condition is about').selectOption('Times that an event happened');
    expect(await offered('Name of the event')).to.deep.equal(['signup.completed']);
    expect(test.complaints).to.deep.equal([]);
  });
});
