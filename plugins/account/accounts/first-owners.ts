import { liveEnvironments } from '#core/kernel/environment/environment.js';
import type { Context } from '#core/kernel/context.js';
import type { FirstOwners } from '#core/kernel/ports.js';
import { mailboxKey } from '#core/kernel/schema/email-address.js';
import { mailServer } from '#plugins/email/ports.js';
import { accounts, type AccountRow } from '../tables/account.js';
import { members } from '../tables/member.js';

/** See `FirstOwners`. */
export function makeFirstOwners({ db, clock, use, audit, actIn }: Context): FirstOwners {
  const operator = (): Promise<AccountRow | null> => db.findOne(accounts, { operator: true });
  return {
    isMailSent: () => use(mailServer).isSet(),
    async addresses() {
      const account = await operator();
      if (!account) return [];
      const owners = await db.find(members, { accountId: account.id, role: 'owner', status: 'active' });
      return owners.map(({ emailKey }) => emailKey);
    },
    async changeAddress(from, to) {
      const account = await operator();
      if (!account) throw new Error('The first account does not exist yet.');
      const { id: accountId } = account;
      const [emailKey, formerKey] = [mailboxKey(to), mailboxKey(from)];
      const holder = await db.findOne(members, { accountId, emailKey });
      if (holder) return { role: holder.role, status: holder.status };
      const owner = await db.findOne(members, { accountId, emailKey: formerKey, role: 'owner', status: 'active' });
      if (!owner) throw new Error(`${from} is not an active owner of the first account.`);
      await db.update(members, { id: owner.id }, { email: to, emailKey, provenAt: clock.now() });
      if (account.openedBy === formerKey) {
        // Unique: another account may have been opened with the new address.
        const isOpener = (await db.count(accounts, { openedBy: emailKey })) > 0;
        await db.update(accounts, { id: accountId }, { openedBy: isOpener ? null : emailKey });
      }
      // The environment of the first project. The dashboard's own environment is younger.
      const [environment] = await liveEnvironments(db, accountId);
      if (environment) actIn(environment);
      audit({
        operation: 'account.update',
        subject: { type: 'member', id: owner.id },
        summary: `Changed the owner’s address from ${owner.email} to ${to}, as SVC_OWNER_EMAIL states.`,
        changes: [{ field: 'email', from: owner.email, to }],
      });
      return null;
    },
  };
}
