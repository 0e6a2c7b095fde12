import type { Environment } from '#core/kernel/caller/caller.js';
import { passwords } from '#plugins/auth/tables/password.js';
import { userOf } from '#test/auth/support.js';
import type { Api } from '#test/support/api.js';
import type { TestAccount, TestPlatform } from '#test/support/platform.js';

export const password = 'correct horse battery staple';

/** `password`, hashed by svc. */
const hash = '$argon2id$v=19$m=19456,t=2,p=1$AJf2P08MDwh3zRb66GACXg$1uZCs4CU9EiUaz8d80fFsEl9gaQZZ4p+DHaXzmu8pr8';

/** `password`, hashed by another system: bcrypt, as libxcrypt makes it. */
export const foreignHash = '$2b$05$abcdefghijklmnopqrstuuFiPhXf1sVd3pCCRO.uVh34H/qI/ZsuS';

/** A user who has a password; `stored` is the hash, svc's own of `password` by default. @returns the user's id */
export async function userWithPassword(
  platform: TestPlatform,
  environment: Environment,
  email = 'ada@example.com',
  stored = hash,
): Promise<string> {
  const userId = await userOf(platform, environment, email);
  const now = platform.clock.now();
  await platform.running.services.database.insert(passwords, {
    userId,
    environmentId: environment.id,
    hash: stored,
    byUser: true,
    createdAt: now,
    updatedAt: now,
  });
  return userId;
}

/** The stored hash of a user; undefined where they have no password. */
export const storedHash = async (platform: TestPlatform, userId: string): Promise<string | undefined> =>
  (await platform.running.services.database.findOne(passwords, { userId }))?.hash;

/** Calls of an app: with the environment's publishable key. */
export const asApp = (platform: TestPlatform, { keys }: TestAccount, node?: { as(key: string): Api }): Api => {
  const key = keys.live.publishable;
  if (node) return node.as(key);
  const { api } = platform;
  return {
    raw: (path, body, options) => api.raw(path, body, { key, ...options }),
    call: (name, input, options) => api.call(name, input, { key, ...options }),
    envelope: (name, input, options) => api.envelope(name, input, { key, ...options }),
    refusal: (name, input, options) => api.refusal(name, input, { key, ...options }),
  };
};
