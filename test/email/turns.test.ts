import { expect } from 'chai';
import { turnsOf } from '#core/kernel/caller/share.js';
import type { Turns } from '#core/runtime/turn-tree.js';
import { parseInThread } from '#plugins/email/inbound/parse/mail-pool.js';
import { renderTemplateContent, type EmailTemplateVersion } from '#plugins/email/templates/render.js';

/** The turns of one of many environments of an account: every second is a test environment. */
const manyOf = (index: number): Turns =>
  turnsOf({ id: `${index}`, accountId: 'many', kind: index % 2 === 0 ? 'live' : 'test' });
const another = turnsOf({ id: 'one', accountId: 'other', kind: 'live' });

/**
 * Gives 20 environments of one account slow work, and then another account three pieces, one after the other.
 * @returns how many pieces of the first account were done before the last of the other
 */
async function doneBefore(slow: (turns: Turns) => Promise<unknown>, quick: () => Promise<unknown>): Promise<number> {
  // Every thread runs: three accounts at once use all of them.
  await Promise.all(['a', 'b', 'c', 'd'].map((accountId) => slow(turnsOf({ id: accountId, accountId, kind: 'live' }))));
  let done = 0;
  const all = Array.from({ length: 20 }, (_, index) => slow(manyOf(index)).then(() => (done += 1)));
  for (let count = 0; count < 3; count += 1) await quick();
  const before = done;
  await Promise.all(all);
  return before;
}

describe('Work on the mail of an account with many environments', function () {
  this.timeout(120_000);

  it('leaves a thread to another account: received mail', async () => {
    const head = 'From: a@example.com\r\nTo: b@example.com\r\nContent-Type: text/html\r\n\r\n';
    const large = Buffer.from(head + '<p><b>Many</b> <i>words</i></p>\r\n'.repeat(30_000));
    const small = Buffer.from(`${head}<p>Few</p>\r\n`);
    const before = await doneBefore(
      (turns) => parseInThread(turns, large),
      () => parseInThread(another, small),
    );
    expect(before).to.be.lessThan(10);
  });

  it('leaves a thread to another account: mail of broadcasts and automations', async () => {
    const version = (text: string): EmailTemplateVersion => ({
      ...{ templateId: 'id', versionId: 'id', name: 'news', version: 1, locales: ['en'], defaultLocale: 'en' },
      variables: [],
      contents: { en: { subject: 'News', html: null, text, isTextGenerated: false } },
    });
    const list = Array.from({ length: 2_000 }, (_, index) => `${(index * 7_919) % 2_003}`);
    const slow = version(`{{ list ${'| sort '.repeat(40)}| size }}`);
    const before = await doneBefore(
      (turns) => renderTemplateContent(turns, slow, 'en', [{ list }], { bulk: true }),
      () => renderTemplateContent(another, version('{{ list | size }}'), 'en', [{ list }], { bulk: true }),
    );
    expect(before).to.be.lessThan(10);
  });
});
