import type { Environment, SignedInUser } from '#core/kernel/caller/caller.js';
import { makeError } from '#core/kernel/errors/errors.js';
import type { Operation } from '#core/kernel/operation.js';
import { definePlugin, type Plugin } from '#core/kernel/plugin.js';
import { newId } from '#core/runtime/id.js';
import { randomToken } from '#core/runtime/secrets/digest.js';
import { errors } from '#plugins/auth/errors.js';
import { lab } from './lab.js';

/** A product that signs end users in: what the kernel needs of one, and no more. */
interface TestAuth {
  plugin(...operations: readonly Operation[]): Plugin;
  /** Signs a user in. @returns the session's access token */
  signIn(environment: Environment, user?: Partial<SignedInUser>): string;
  /** Another access token of the same session, as a refresh makes it. */
  refresh(accessToken: string): string;
  signOut(accessToken: string): void;
  ban(userId: string): void;
}

export function testAuth(now: () => Date): TestAuth {
  const sessions = new Map<string, { environmentId: string; user: SignedInUser }>();
  const banned = new Set<string>();
  const keep = (session: { environmentId: string; user: SignedInUser }): string => {
    const accessToken = randomToken(43);
    sessions.set(accessToken, session);
    return accessToken;
  };
  return {
    plugin: (...operations) =>
      definePlugin({
        ...lab(...operations),
        errors: { user_banned: errors.user_banned },
        userRefusals: ['user_banned'],
        authenticators: () => ({
          async findUserSession(accessToken, environment) {
            const session = sessions.get(accessToken);
            if (session?.environmentId !== environment.id) return null;
            if (banned.has(session.user.userId))
              throw makeError('user_banned', errors.user_banned, { unban: 'lab.user.unban' });
            return session.user;
          },
        }),
      }),
    signIn(environment, user = {}) {
      const email = user.email ?? 'ada@example.com';
      const facts = {
        userId: newId(),
        sessionFamilyId: newId(),
        tokenExpiresAt: new Date(8.64e15),
        label: email,
        secondFactor: false,
        lacksActiveFactor: false,
        lacksRequiredFactor: false,
        impersonator: null,
      };
      return keep({ environmentId: environment.id, user: { ...facts, email, signedInAt: now(), ...user } });
    },
    refresh(accessToken) {
      const session = sessions.get(accessToken);
      if (!session) throw new Error('There is no such session.');
      sessions.delete(accessToken);
      return keep(session);
    },
    signOut: (accessToken) => void sessions.delete(accessToken),
    ban: (userId) => void banned.add(userId),
  };
}
