import { idBytes } from '#core/runtime/id.js';
import { renewedToken } from '#plugins/auth/organizations/invitation.js';
import { addMember } from '#plugins/auth/organizations/members.js';
import type { OrgRole } from '#plugins/auth/tables/org-member.js';
import { orgInvites } from '#plugins/auth/tables/org-invite.js';
import { organizations } from '#plugins/auth/tables/organization.js';
import type { CallOptions, InputOf, OperationName, RawAnswer, Refused, ReplyOf } from '#test/support/api.js';
import type { TestAccount, TestPlatform } from '#test/support/platform.js';
import { signedIn, type SignedIn } from './support.js';

/** A signed-in user, as their app calls for them: with a publishable key of their environment. */
export interface Person extends SignedIn {
  readonly email: string;
  call<N extends OperationName>(
    name: N,
    input: Omit<InputOf<N>, 'accessToken'>,
    options?: CallOptions,
  ): Promise<ReplyOf<N>>;
  refusal(name: OperationName, input: object): Promise<Refused>;
}

/** Signs a user in, whose address is `<name>@example.com`. */
export async function person(
  platform: TestPlatform,
  account: TestAccount,
  name: string,
  { side = 'live', ...facts }: { mfa?: boolean; side?: 'live' | 'test' } = {},
): Promise<Person> {
  const email = `${name}@example.com`;
  const session = await signedIn(platform, account[side], { email, ...facts });
  const key = account.keys[side].publishable;
  const { accessToken } = session;
  return {
    ...session,
    email,
    async call(operation, input, options) {
      const body = JSON.stringify({ ...input, accessToken });
      return typed(operation, await platform.api.raw(pathOf(operation), body, { key, ...options }));
    },
    refusal: (operation, input) => platform.api.refusal(operation, { ...input, accessToken }, { key }),
  };
}

const pathOf = (name: string): string => `/${name.replaceAll('.', '/')}`;

/** In tests the server validates every reply against its schema, which the types are derived from. */
function typed<N extends OperationName>(name: N, answer: RawAnswer): ReplyOf<N>;
function typed(name: string, { status, text }: RawAnswer): unknown {
  const body: unknown = JSON.parse(text);
  if (status !== 200 || typeof body !== 'object' || body === null)
    throw new Error(`${name} answered ${status}: ${text}`);
  const result: unknown = Reflect.get(body, 'result');
  return result;
}

/** An organization with its owner. */
export async function organizationOf(
  owner: Person,
  name = 'Analytical Engines',
): Promise<ReplyOf<'auth.org.create'>['organization']> {
  return (await owner.call('auth.org.create', { name })).organization;
}

/** Makes a user a member, without the way over an invitation. */
export async function join(
  platform: TestPlatform,
  organizationId: string,
  { userId }: Person,
  role: OrgRole = 'member',
): Promise<void> {
  await platform.running.services.transaction('Test', async ({ db, clock }) => {
    const row = await db.findOne(organizations, { id: organizationId });
    if (!row) throw new Error('There is no such organization.');
    await addMember({ db, clock }, row, userId, role);
    await db.run('UPDATE auth_organization SET member_count = member_count + 1 WHERE id = ?', [
      idBytes(organizationId),
    ]);
  });
}

/**
 * Invites an address, as an app does.
 * @returns the invitation, and its token, which only the mail carries
 */
export async function invited(
  platform: TestPlatform,
  inviter: Person,
  input: Omit<InputOf<'auth.org.invite.create'>, 'accessToken'>,
): Promise<{ inviteId: string; token: string }> {
  const { invite } = await inviter.call('auth.org.invite.create', input);
  const { database, vault } = platform.running.services;
  const row = await database.findOne(orgInvites, { id: invite.id });
  if (!row) throw new Error('The invitation was not stored.');
  return { inviteId: invite.id, token: renewedToken(vault, row, platform.clock.now()).token };
}
