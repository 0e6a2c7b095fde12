import { expect } from 'chai';
import { needProducts } from '#test/support/products.js';
import { usePlatform, type TestPlatform } from '#test/support/platform.js';
import { draft, publish, publisher } from '../broadcast/support.js';
import { mailHosts, useDomains, verifiedDomain } from '../domain/support.js';
import { newDkimKey } from './support.js';

/** The fix of a broadcast whose sender is on no verified domain, and the deployment's own address. */
async function fixOf(
  platform: TestPlatform,
): Promise<{ fix: string; own: string; sender: Awaited<ReturnType<typeof publisher>> }> {
  const sender = await publisher(platform);
  await publish(sender, { en: { subject: 'News', text: 'Hello' } });
  const { readiness } = await sender.svc.call(
    'email.broadcast.create',
    draft(sender, { from: 'news@elsewhere.example' }),
  );
  const problem = readiness.problems.find(({ code }) => code === 'sender_not_verified');
  return { fix: problem?.fix ?? '', own: sender.from.replace(/^.*@/, ''), sender };
}

describe('The sender that readiness recommends', () => {
  needProducts('audience');

  describe('where the deployment’s own domain has no key', () => {
    const { platform, names } = useDomains();

    it('is at a verified domain, or at none: mail from the own domain would leave unsigned', async () => {
      const { fix, own, sender } = await fixOf(platform);
      expect(fix).to.contain('email.domain.add').and.not.to.contain(own);
      const { domain } = await verifiedDomain(sender.svc, names.dns);
      const { readiness } = await sender.svc.call(
        'email.broadcast.create',
        draft(sender, { from: 'news@elsewhere.example' }),
      );
      const problem = readiness.problems.find(({ code }) => code === 'sender_not_verified');
      expect(problem?.fix).to.contain(`an address at ${domain} with email.broadcast.update`);
    });
  });

  describe('where the deployment’s own domain has a key', () => {
    const { platform } = useDomains({ ...mailHosts, SVC_MAIL_DKIM_KEY: newDkimKey() });

    it('may be at the own domain', async () => {
      const { fix, own } = await fixOf(platform);
      expect(fix).to.contain(`an address at ${own} with email.broadcast.update`);
    });
  });

  describe('where mail is kept in the local mailbox', () => {
    const platform = usePlatform();

    it('may be at the own domain', async () => {
      const { fix, own } = await fixOf(platform);
      expect(fix).to.contain(`an address at ${own} with email.broadcast.update`);
    });
  });
});
