import type { Environment as Tenant } from '#core/kernel/caller/caller.js';
import { definePort } from '#core/kernel/port.js';
import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { Environment as EnvironmentSchema, Member as MemberSchema } from './resources.js';
import type { ThemeValue } from './themes/appearance.js';

export { Environment, Member } from './resources.js';
export type { ThemeValue } from './themes/appearance.js';

/** Who and what stands behind an environment. */
export interface Directory {
  place(environment: Tenant): Promise<{
    account: { id: string; name: string };
    project: { id: string; name: string };
    environment: ValueOf<typeof EnvironmentSchema>;
  }>;
  member(accountId: string, memberId: string): Promise<ValueOf<typeof MemberSchema> | null>;
  /** The addresses of active members that are proven to be theirs, in lower case. */
  provenAddresses(accountId: string): Promise<string[]>;
  /** Where to write to the account's owners: active, and proven to be theirs. */
  ownerAddresses(accountId: string): Promise<string[]>;
  /** The label of the project's own sending domain. */
  slug(projectId: string): Promise<string>;
  /** The published theme of an environment. */
  theme(environment: Tenant): Promise<ThemeValue>;
}

export const directory = definePort<Directory>('account.directory');
