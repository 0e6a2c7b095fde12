import type { TestAccount, TestPlatform } from '#test/support/platform.js';

/** Where a thing is created: an account, and which of its environments. */
export interface Place {
  platform: TestPlatform;
  account: TestAccount;
  side: 'live' | 'test';
}
