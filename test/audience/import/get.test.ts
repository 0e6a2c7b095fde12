import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { runImport } from '#test/audience/contact/support.js';
import { refusalBody } from '#test/account/support.js';
import { usePlatform } from '#test/support/platform.js';

describe('audience.import.get', () => {
  const platform = usePlatform();

  it('pages through the rejected rows in the order of their numbers, 100 per page', async () => {
    const account = await platform.account();
    const contacts = Array.from({ length: 700 }, (_, index) =>
      index % 3 === 0 ? { email: `p${index}@example.com` } : { email: `p${index}` },
    );
    const first = await runImport(platform, account, { contacts });
    const importId = first.import.id;
    expect(first.import).to.include({ total: 700, processed: 700, created: 234, rejected: 466 });
    const rows: number[] = [];
    let pages = 0;
    for (let next: string | null = ''; next !== null; pages += 1) {
      const before = next === '' ? {} : { before: next };
      const page: typeof first = await account.svc.call('audience.import.get', { importId, ...before });
      expect(page.import).to.deep.equal(first.import);
      expect(page.rejected.length).to.equal(page.nextBefore === null ? 66 : 100);
      rows.push(...page.rejected.map(({ row }) => row));
      next = page.nextBefore;
    }
    expect(pages).to.equal(5);
    // Rows are counted from 1.
    expect(rows).to.deep.equal(contacts.flatMap((_, index) => (index % 3 === 0 ? [] : [index + 1])));
  });

  it('says that a last page of exactly 100 rows is the last one', async () => {
    const account = await platform.account();
    const page = await runImport(platform, account, { contacts: Array.from({ length: 100 }, () => ({ email: 'x' })) });
    expect(page.rejected).to.have.length(100);
    expect(page.nextBefore).to.equal(null);
  });

  it('refuses an invalid cursor', async () => {
    const { svc } = await platform.account();
    const { import: accepted } = await svc.call('audience.contact.import', {
      contacts: [{ email: 'ann@example.com' }],
    });
    for (const before of ['', 'x', '-1', '1.5', newId(), '1'.repeat(30)]) {
      const refused = await svc.refusal('audience.import.get', { importId: accepted.id, before });
      expect(refused, before).to.include({ status: 400, code: 'invalid_input' });
      expect(refused.details).to.deep.equal({ field: 'before' });
    }
  });

  it('answers not_found for another environment’s import', async () => {
    const { svc, svcTest } = await platform.account();
    const other = await platform.account();
    const { import: accepted } = await svc.call('audience.contact.import', {
      contacts: [{ email: 'ann@example.com' }],
    });
    const unknown = refusalBody(await svc.refusal('audience.import.get', { importId: newId() }));
    expect(unknown).to.include({ status: 404, code: 'not_found' });
    for (const api of [svcTest, other.svc])
      expect(refusalBody(await api.refusal('audience.import.get', { importId: accepted.id }))).to.deep.equal(unknown);
  });
});
