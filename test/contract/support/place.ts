import type { Api } from '#test/support/api.js';
import type { TestAccount, TestPlatform } from '#test/support/platform.js';

/** Where a thing is created: an account, and which of its environments. */
export interface Place {
  platform: TestPlatform;
  account: TestAccount;
  side: 'live' | 'test';
}

/** Calls with the secret key of the place's environment. */
export const apiOf = ({ account, side }: Place): Api => (side === 'live' ? account.svc : account.svcTest);
