import { expect } from 'chai';
import { retentionJobs } from '#plugins/auth/retention.js';
import { startedCode } from '#test/auth/support.js';
import { days, minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';

describe('Started sign-ins', () => {
  const platform = usePlatform();

  it('are deleted a day after they expired, and not before', async () => {
    const { live } = await platform.account();
    const run = async (): Promise<void> => {
      for (const job of retentionJobs(platform.running.services)) await job.run();
    };
    await startedCode(platform, live);
    platform.clock.advance(minutes(10) + days(1));
    await run();
    expect(await platform.count('auth_challenge')).to.equal(1);
    platform.clock.advance(1);
    await run();
    expect(await platform.count('auth_challenge')).to.equal(0);
  });
});
