import { createEnvironments } from '#core/kernel/environment/environment.js';
import type { Context } from '#core/kernel/context.js';
import type { AccountOpener, NewAccount, OpenedAccount } from '#core/kernel/ports.js';
import { mailboxKey } from '#core/kernel/schema/email-address.js';
import { isDuplicate } from '#core/runtime/database/errors.js';
import { newId } from '#core/runtime/id.js';
import { accounts, type AccountRow } from '../tables/account.js';
import { members } from '../tables/member.js';
import { insertProject } from '../projects/insert-project.js';
import { presentAccount } from './resources.js';

type Opening = Pick<Context<'account.created', 'email_taken'>, 'db' | 'clock' | 'fail' | 'emit'>;

/** Where the person who signed up heard of svc. */
type Sources = Pick<AccountRow, 'heardFrom' | 'heardFromDetail'>;

/** Opens accounts at the first start and for bootstrap. */
export const makeAccountOpener = (context: Context<'account.created', 'email_taken'>): AccountOpener => ({
  any: async () => (await context.db.rows('SELECT id FROM account LIMIT 1')).length > 0,
  open: (account) => openAccount(context, account),
});

/**
 * Opens an account with its owner, first project and that project's environments.
 * @throws email_taken
 */
export async function openAccount(
  { db, clock, fail, emit }: Opening,
  { name, email, projectName, country, proven, operator }: NewAccount,
  { heardFrom, heardFromDetail }: Sources = { heardFrom: null, heardFromDetail: null },
): Promise<OpenedAccount> {
  const now = clock.now();
  const key = mailboxKey(email);
  const account: AccountRow = {
    id: newId(),
    name,
    country: country ?? null,
    heardFrom,
    heardFromDetail,
    // An unproven address is not reserved: the person it belongs to can still sign up.
    openedBy: proven ? key : null,
    operator,
    createdAt: now,
    updatedAt: null,
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
    permissions: null,
    status: 'active',
    invitedBy: null,
    inviterId: null,
    inviteDigest: null,
    inviteSealed: null,
    inviteExpiresAt: null,
    acceptedAt: now,
    provenAt: proven ? now : null,
    createdAt: now,
    updatedAt: null,
  });
  const project = await insertProject(db, {
    id: newId(),
    accountId: account.id,
    name: projectName,
    locale: 'en',
    timeZone: 'UTC',
    createdAt: now,
    byTestKey: false,
  });
  if (!project) throw new Error(`The new account ${account.id} already has a project.`);
  const { live, test } = await createEnvironments(db, { id: project.id, accountId: account.id, operator }, now);
  emit('account.created', { subjectId: account.id, data: { account: presentAccount(account) } }, test);
  return { accountId: account.id, projectId: project.id, live, test, memberId };
}
