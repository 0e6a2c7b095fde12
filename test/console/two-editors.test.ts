import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { needProducts } from '#test/support/products.js';
import { useConsole } from './support.js';

describe('The console, two people who edit one thing', function () {
  needProducts('auth', 'audience', 'email');
  this.timeout(120_000);
  const test = useConsole();
  const { platform } = test;

  const choose = (page: Page, field: string, side: 'Keep mine' | 'Take theirs') =>
    page.getByRole('group', { name: field, exact: true }).getByRole('radio', { name: side }).check();

  it('shows both versions of an automation, merges what one side changed, and lets the person choose the rest', async () => {
    const account = await platform.account();
    const steps = [{ type: 'wait', seconds: 86_400 }] as const;
    const { automation } = await account.svc.call('email.automation.create', {
      ...{ name: 'Welcome', triggerEvent: 'shop.registered', steps: [...steps] },
    });
    const { id: automationId } = automation;
    const page = await test.open(account, `email/automation/${automationId}`);
    await page.getByLabel('Name').fill('Hello');
    await account.svc.call('email.automation.update', { automationId, name: 'Greeting', reenter: true });
    await page.getByRole('button', { name: 'Save automation' }).click();
    const both = page.getByRole('region', { name: 'Changed meanwhile' });
    await both.getByText('saved another version').waitFor();
    const text = await both.innerText();
    for (const each of ['Reenter', 'Hello', 'Greeting']) expect(text).to.contain(each);
    await choose(page, 'Name', 'Keep mine');
    await both.getByRole('button', { name: 'Merge both versions' }).click();
    await page.getByRole('button', { name: 'Save automation' }).click();
    await page.getByText('Automation saved.').waitFor();
    const { automation: saved } = await account.svc.call('email.automation.get', { automationId });
    expect([saved.name, saved.reenter]).to.deep.equal(['Hello', true]);
    expect(test.complaints).to.deep.equal([]);
  });

  it('saves only the changed fields of a contact, and names who saved the others meanwhile', async () => {
    const account = await platform.account();
    const { contact } = await account.svc.call('audience.contact.upsert', {
      ...{ email: 'ada@two.example', firstName: 'Ada', lastName: 'Byron', properties: { plan: 'free', city: 'Rome' } },
    });
    const contactId = contact.id;
    const page = await test.open(account, `audience/contact/${contactId}`);
    await page
      .getByRole('link', { name: /^(?:Edit|Change)/ })
      .first()
      .click();
    await page.getByLabel('First name').fill('Augusta');
    await page.getByLabel('Last name').fill('King');
    await account.svc.call('audience.contact.update', { contactId, lastName: 'Lovelace', properties: { plan: 'pro' } });
    const save = page.getByRole('button', { name: 'Update contact' });
    await save.click();
    const both = page.getByRole('region', { name: 'Changed meanwhile' });
    await both.getByText(/saved another version/).waitFor();
    expect(await both.innerText())
      .to.match(/First key|key/i)
      .and.to.contain('Lovelace')
      .and.to.contain('King');
    await choose(page, 'Last name', 'Take theirs');
    await both.getByRole('button', { name: 'Merge both versions' }).click();
    await save.click();
    await page.getByText('Done: update contact.').first().waitFor();
    const { contact: saved } = await account.svc.call('audience.contact.get', { contactId });
    expect([saved.firstName, saved.lastName, saved.properties]).to.deep.equal([
      'Augusta',
      'Lovelace',
      { plan: 'pro', city: 'Rome' },
    ]);
    expect(test.complaints).to.deep.equal([]);
  });

  it('merges without a question if nobody else has changed the same fields', async () => {
    const account = await platform.account();
    const definition = { field: 'email', op: 'exists' };
    const { segment } = await account.svc.call('audience.segment.create', { name: 'All', definition });
    const { id: segmentId } = segment;
    const page = await test.open(account, `audience/segment/${segmentId}`);
    await page.getByLabel('Name', { exact: true }).fill('Everybody');
    const theirs = { all: [{ field: 'phone', op: 'exists' }] };
    await account.svc.call('audience.segment.update', { segmentId, definition: theirs });
    await page.getByRole('button', { name: 'Save segment' }).click();
    await page.getByText('It is merged with yours').waitFor();
    await page.getByRole('button', { name: 'Save segment' }).click();
    await page.getByText('Segment saved.').waitFor();
    const { segment: saved } = await account.svc.call('audience.segment.get', { segmentId });
    expect([saved.name, saved.definition]).to.deep.equal(['Everybody', theirs]);
    expect(test.complaints).to.deep.equal([]);
  });
});
