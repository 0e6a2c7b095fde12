import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useConsole } from './support.js';

describe('The console and old answers', function () {
  this.timeout(60_000);
  const test = useConsole();

  /** The age that the page allows the list of messages to have, in seconds. */
  const allowedAge = async (page: Page): Promise<number> => {
    const asked = page.waitForRequest('**/email/message/list');
    await page.goto(page.url().replace(/(\/console\/[^/]+\/).*$/, '$1email/message'));
    return Number((await asked).headers()['svc-max-age']);
  };

  it('lists may be old, but not older than what the person has just done', async () => {
    const account = await test.platform.account();
    const page = await test.open(account, 'do/audience.topic.create?key=letters&name=Letters');
    expect(await allowedAge(page)).to.equal(30);
    await page.goto(page.url().replace(/email\/message$/, 'do/audience.topic.create?key=letters&name=Letters'));
    const began = Date.now();
    await page.getByRole('button', { name: 'Create topic' }).click();
    await page.getByText('View audit record').waitFor();
    const age = await allowedAge(page);
    expect(age * 1000).to.be.at.most(Date.now() - began);
    expect(test.complaints).to.deep.equal([]);
  });
});
