import { randomBytes } from 'node:crypto';
import type { Environment, Role } from '#core/kernel/caller/caller.js';
import { permissionsOf } from '#core/kernel/caller/permissions.js';
import { keyIssuer } from '#core/kernel/ports.js';
import { idBytes, newId } from '#core/runtime/id.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import { members, type MemberRow } from '#plugins/account/tables/member.js';
import { apiAt, type Api, type Refused } from '#test/support/api.js';
import { days } from '#test/support/clock.js';
import type { TestAccount, TestPlatform } from '#test/support/platform.js';

type NewMember = Partial<Pick<MemberRow, 'email' | 'status' | 'permissions' | 'provenAt' | 'acceptedAt'>> & {
  role: Role;
  /** An open invitation's token. */
  token?: string;
};

/** Inserts a member without an invitation; active by default. */
export async function addMember(
  platform: TestPlatform,
  { accountId }: Pick<TestAccount, 'accountId'>,
  { token, ...facts }: NewMember,
): Promise<MemberRow> {
  const now = platform.clock.now();
  const email = facts.email ?? `member-${randomBytes(4).toString('hex')}@example.com`;
  const status = facts.status ?? 'active';
  const row: MemberRow = {
    id: newId(),
    accountId,
    emailKey: email.toLowerCase(),
    invitedBy: 'owner@example.com',
    inviterId: null,
    inviteDigest: token === undefined ? null : sha256(token),
    inviteSealed: null,
    inviteExpiresAt: new Date(now.getTime() + days(7)),
    acceptedAt: status === 'active' ? now : null,
    provenAt: status === 'active' ? now : null,
    createdAt: now,
    updatedAt: null,
    permissions: null,
    ...facts,
    email,
    status,
  };
  await platform.running.services.database.insert(members, row);
  return row;
}

interface Holder {
  role: Role;
  /** Every permission of the enabled products by default. */
  permissions?: readonly string[];
  /** The member who created the key; none by default: the key belongs to the account alone. */
  memberId?: string;
  /** The account's test environment by default. */
  environment?: Environment;
}

/** Creates a secret key in the account. */
export async function secretOf(
  platform: TestPlatform,
  account: Pick<TestAccount, 'live'>,
  holder: Holder,
): Promise<string> {
  const { services } = platform.running;
  const { secret } = await services.transaction('Test', ({ use }) =>
    use(keyIssuer).issueFirst({
      environment: account.live,
      permissions: permissionsOf(services.deployment.products),
      memberId: null,
      ...holder,
    }),
  );
  return secret;
}

/** Calls with a new key like `secretOf`. */
export async function keyOf(platform: TestPlatform, account: TestAccount, holder: Holder): Promise<Api> {
  const secret = await secretOf(platform, account, holder);
  return apiAt(
    () => platform.running.address,
    () => secret,
    () => platform.running.registry,
  );
}

/** The audit record of a call. */
export async function auditOf(
  platform: TestPlatform,
  activityId: string,
): Promise<{ operation: string; subjectId: string; summary: string; changes: unknown; accountWide: boolean }> {
  const [row] = await platform.running.services.database.rows<{
    operation: Buffer;
    subject_id: Buffer;
    summary: string;
    changes: string;
    account_wide: number;
  }>('SELECT operation, subject_id, summary, changes, account_wide FROM svc_activity WHERE id = ?', [
    idBytes(activityId),
  ]);
  if (!row) throw new Error(`There is no audit record ${activityId}.`);
  return {
    operation: row.operation.toString(),
    subjectId: row.subject_id.toString(),
    summary: row.summary,
    changes: JSON.parse(row.changes),
    accountWide: row.account_wide === 1,
  };
}

/** The names of an environment's events, oldest first. */
export const eventNames = async (platform: TestPlatform, environment: Environment): Promise<string[]> =>
  (await platform.events(environment)).map(({ type }) => type);

/** The parts of a refusal that differ between causes; without its request id and headers. */
export const refusalBody = ({
  status,
  code,
  message,
  fix,
  details,
}: Refused): Omit<Refused, 'requestId' | 'headers'> => ({
  status,
  code,
  message,
  fix,
  details,
});
