import type { Environment as Tenant } from '#core/kernel/caller/caller.js';
import { definePort } from '#core/kernel/port.js';
import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { Member as MemberSchema } from './members/resources.js';
import type { Environment as EnvironmentSchema } from './projects/resources.js';
import type { ThemeValue } from './themes/appearance.js';

export { Member } from './members/resources.js';
export { environmentNames } from './environment-names.js';
export { Environment } from './projects/resources.js';
export { Theme, themeInput, type ThemeValue } from './themes/appearance.js';
export { exampleTheme } from './themes/appearance.js';

/** The account, project, members and theme of an environment. */
export interface Directory {
  /** An environment with the names of its account and project. */
  describe(environment: Tenant): Promise<{
    account: { id: string; name: string };
    project: { id: string; name: string };
    environment: ValueOf<typeof EnvironmentSchema>;
  }>;
  /** A member of the account in any status; null if the account has no member with this id. */
  member(accountId: string, memberId: string): Promise<ValueOf<typeof MemberSchema> | null>;
  /** The proven addresses of active members, in lower case. */
  provenAddresses(accountId: string): Promise<string[]>;
  /** The proven addresses of active owners, as they were entered. */
  ownerAddresses(accountId: string): Promise<string[]>;
  /** The projects of an account, oldest first. */
  projects(accountId: string): Promise<{ id: string; name: string }[]>;
  /** The first label of the project's own sending domain. */
  slug(projectId: string): Promise<string>;
  /** The environments of the project with this first label; null if there is no such project. */
  environmentsOfSlug(slug: string): Promise<{ live: Tenant; test: Tenant } | null>;
  /** The language of the project, BCP 47. */
  locale(projectId: string): Promise<string>;
  /** The time zone of the project, an IANA name. */
  timeZone(projectId: string): Promise<string>;
  /** The name that users know an environment by: the project's, or for members of accounts the deployment's. */
  nameForUsers(environment: Tenant): Promise<string>;
  /** The published theme of an environment, or the default theme. */
  theme(environment: Tenant): Promise<ThemeValue>;
}

export const directory = definePort<Directory>('account.directory');

/** The reserved project in the operator's account, whose users are the members of all accounts. */
export interface Dashboard {
  /** The one environment that issues dashboard sessions; null if auth is not enabled. Read once per process. */
  environment(): Promise<Tenant | null>;
  /** Whether the environment is one of the reserved project. */
  includes(environment: Pick<Tenant, 'projectId'>): Promise<boolean>;
  /** Whether an account has an invitation for one of these addresses that can still be accepted. */
  isInvited(emails: readonly string[]): Promise<boolean>;
}

export const dashboard = definePort<Dashboard>('account.dashboard');
