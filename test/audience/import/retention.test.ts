import { expect } from 'chai';
import { runImport } from '#test/audience/contact/support.js';
import plugin from '#plugins/audience/index.js';
import { days } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';

describe('Retention of rejected rows', () => {
  const platform = usePlatform();

  /** Runs the hourly job once. */
  async function forget(): Promise<void> {
    const jobs = plugin.jobs(platform.running.services);
    for (const job of jobs.filter(({ name }) => name === 'audience.forget-rejected-rows')) await job.run();
  }

  it('deletes them 30 days after the import’s end, keeps its counts, and says so', async () => {
    const account = await platform.account();
    const wrong = { contacts: Array.from({ length: 1_100 }, () => ({ email: 'x' })) };
    const first = await runImport(platform, account, wrong);
    const show = async (importId: string) => account.svc.call('audience.import.get', { importId });
    platform.clock.advance(days(29));
    const second = await runImport(platform, account, wrong);
    await forget();
    expect(await show(first.import.id)).to.deep.include({ rejected: first.rejected, rejectedRemovedAt: null });
    platform.clock.advance(days(1) + 60_000);
    await forget();
    const removedAt = platform.clock.now().toISOString();
    const after = await show(first.import.id);
    expect(after).to.deep.equal({
      import: first.import,
      rejected: [],
      rejectedRemovedAt: removedAt,
      nextBefore: null,
    });
    expect(after.import.rejected).to.equal(1_100);
    expect(await show(second.import.id)).to.deep.include({ rejected: second.rejected, rejectedRemovedAt: null });
    // A later run neither changes the time nor does it again.
    platform.clock.advance(days(31));
    await forget();
    expect(await show(first.import.id)).to.include({ rejectedRemovedAt: removedAt });
    expect(await platform.count('audience_import_rejection')).to.equal(0);
  });

  it('keeps the rows of an import that ended within the retention time, however long it ran', async () => {
    const account = await platform.account();
    const { import: shown } = await runImport(platform, account, { contacts: [{ email: 'x' }] });
    platform.clock.advance(days(40));
    await platform.running.services.database.run('UPDATE audience_import SET finished_at = ? WHERE finished_at = ?', [
      platform.clock.now(),
      new Date(shown.finishedAt ?? ''),
    ]);
    await forget();
    expect(await platform.count('audience_import_rejection')).to.equal(1);
  });
});
