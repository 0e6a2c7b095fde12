import { createEnvironments } from '#core/kernel/environment/environment.js';
import type { Context } from '#core/kernel/context.js';
import type { AccountOpener } from '#core/kernel/ports.js';
import { mailboxKey } from '#core/kernel/schema/email-address.js';
import { isDuplicate } from '#core/runtime/database/errors.js';
import { newId } from '#core/runtime/id.js';
import { accounts, type AccountRow } from '../tables/account.js';
import { members } from '../tables/member.js';
import { insertProject } from '../projects/insert-project.js';
import { presentAccount } from './resources.js';

/** Opens accounts for signup, first start and bootstrap. */
export function makeAccountOpener({ db, clock, fail, emit }: Context<'account.created', 'email_taken'>): AccountOpener {
  return {
    async any() {
      return (await db.rows('SELECT id FROM account LIMIT 1')).length > 0;
    },
    async open({ name, email, projectName, country, heardFrom, heardFromDetail, proven, operator }) {
      const now = clock.now();
      const key = mailboxKey(email);
      const account: AccountRow = {
        id: newId(),
        name,
        country: country ?? null,
        heardFrom: heardFrom ?? null,
        heardFromDetail: heardFromDetail ?? null,
        // An unproven address is not reserved: the person it belongs to can still sign up.
        openedBy: proven ? key : null,
        operator,
        createdAt: now,
        closedAt: null,
        closedReason: null,
      };
      const owners = await db.find(members, { emailKey: key, role: 'owner', status: 'active' });
      if (owners.some(({ provenAt }) => provenAt !== null)) throw fail.email_taken({ email });
      try {
        await db.insert(accounts, account);
      } catch (error) {
        if (isDuplicate(error, 'opened_by')) throw fail.email_taken({ email });
        throw error;
      }
      const memberId = newId();
      await db.insert(members, {
        id: memberId,
        accountId: account.id,
        email,
        emailKey: key,
        role: 'owner',
        status: 'active',
        invitedBy: null,
        inviterId: null,
        inviteDigest: null,
        inviteSealed: null,
        inviteExpiresAt: null,
        acceptedAt: now,
        provenAt: proven ? now : null,
        createdAt: now,
      });
      const project = await insertProject(db, {
        id: newId(),
        accountId: account.id,
        name: projectName,
        locale: 'en',
        timeZone: 'UTC',
        createdAt: now,
      });
      if (!project) throw new Error(`The new account ${account.id} already has a project.`);
      const { live, test } = await createEnvironments(db, { id: project.id, accountId: account.id, operator }, now);
      emit('account.created', { subjectId: account.id, data: { account: presentAccount(account) } }, test);
      return { accountId: account.id, projectId: project.id, live, test, memberId };
    },
  };
}
