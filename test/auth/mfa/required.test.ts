import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { atOwnShard } from '#core/runtime/shard.js';
import { orgMembers } from '#plugins/auth/tables/org-member.js';
import { organizations } from '#plugins/auth/tables/organization.js';
import { sessions } from '#plugins/auth/tables/session.js';
import { publishableApi } from '#test/auth/factor/support.js';
import { signedIn, type SignedIn } from '#test/auth/support.js';
import { allOperations, exampleWith } from '#test/contract/support/operations.js';
import { at } from '#test/support/json.js';
import { usePlatform, type TestAccount, type TestPlatform } from '#test/support/platform.js';

/** What a session without a required second factor may call; refreshing and signing out take no access token. */
const exempt = ['auth.me.get', 'auth.factor.totp.enroll', 'auth.factor.totp.activate'];

/** Who demands a second factor. */
const rules: Readonly<Record<string, (platform: TestPlatform, account: TestAccount, user: SignedIn) => Promise<void>>> =
  {
    async 'the environment'(_platform, { svc }) {
      await svc.call('auth.settings.set', { mfa: { required: true } });
    },
    async 'the session’s organization'({ running, clock }, { live }, { userId, sessionId }) {
      const { database } = running.services;
      const now = clock.now();
      const organizationId = newId();
      await database.insert(organizations, {
        ...{ id: organizationId, environmentId: live.id, name: 'Engines', nameKey: 'engines', slug: 'engines' },
        ...{ logoUrl: null, metadata: '{}', requireMfa: true, memberCount: 1, createdAt: now, updatedAt: now },
      });
      await database.insert(orgMembers, {
        id: newId(),
        organizationId,
        userId,
        environmentId: live.id,
        role: 'owner',
        joinedAt: now,
      });
      await database.update(sessions, { id: sessionId }, { organizationId });
    },
  };

describe('A session that lacks a required second factor', () => {
  const platform = usePlatform();
  const ofUsers = allOperations.filter(({ access, product }) => access === 'user' && product === 'auth');

  for (const [who, demand] of Object.entries(rules))
    it(`is refused by every operation of users but the exempt ones, where ${who} requires it`, async () => {
      const account = await platform.account();
      const api = publishableApi(platform, account);
      const weak = await signedIn(platform, account.live);
      await demand(platform, account, weak);
      const open: string[] = [];
      for (const operation of ofUsers) {
        const input = exampleWith(operation, { accessToken: weak.accessToken });
        const { status, text } = await api.raw(`/${operation.name.replaceAll('.', '/')}`, JSON.stringify(input));
        if (status !== 403 || !text.includes('"code":"mfa_required"')) open.push(operation.name);
      }
      // A session may leave an organization that requires a factor, and refuses the rest itself.
      expect(open).to.have.members(who === 'the environment' ? exempt : [...exempt, 'auth.org.switch']);
    });

  it('is refused by auth.oauth.start too, which takes the user’s token optionally and says so', async () => {
    const account = await platform.account();
    await account.svc.call('auth.settings.set', { mfa: { required: true } });
    const { accessToken } = await signedIn(platform, account.live);
    const input = { provider: 'google', redirectTo: 'https://app.example.com/', accessToken };
    const { status, code } = await publishableApi(platform, account).refusal('auth.oauth.start', input);
    expect([status, code]).to.deep.equal([403, 'mfa_required']);
    const document: unknown = await (await fetch(atOwnShard(`${platform.running.address}/openapi.json`))).json();
    const codes: unknown = at(document, 'paths', '/auth/oauth/start', 'post', 'x-svc-errors');
    expect(codes).to.include('mfa_required');
  });
});
