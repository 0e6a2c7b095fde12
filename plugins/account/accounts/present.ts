import type { EnvironmentRow } from '#core/kernel/environment/environment.js';
import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { Account, Environment, heardFrom, Member, Project } from '../resources.js';
import type { AccountRow } from '../tables/account.js';
import type { MemberRow } from '../tables/member.js';
import type { ProjectRow } from '../tables/project.js';

type HeardFrom = ValueOf<typeof heardFrom>;
const sources: readonly HeardFrom[] = [
  'search',
  'ai_assistant',
  'social',
  'referral',
  'content',
  'community',
  'event',
  'other',
];

/** Rows as replies and events carry them. */
export const presentAccount = (row: AccountRow): ValueOf<typeof Account> => ({
  id: row.id,
  name: row.name,
  country: row.country,
  heardFrom: sources.find((source) => source === row.heardFrom) ?? null,
  heardFromDetail: row.heardFromDetail,
  createdAt: row.createdAt.toISOString(),
  closedAt: row.closedAt?.toISOString() ?? null,
  closedReason: row.closedReason,
});

export const presentProject = (row: ProjectRow): ValueOf<typeof Project> => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  locale: row.locale,
  timeZone: row.timeZone,
  createdAt: row.createdAt.toISOString(),
});

export const presentEnvironment = (
  row: Pick<EnvironmentRow, 'id' | 'projectId' | 'kind' | 'createdAt'>,
): ValueOf<typeof Environment> => ({
  id: row.id,
  projectId: row.projectId,
  kind: row.kind,
  createdAt: row.createdAt.toISOString(),
});

export const presentMember = (row: MemberRow): ValueOf<typeof Member> => ({
  id: row.id,
  email: row.email,
  role: row.role,
  status: row.status,
  invitedBy: row.invitedBy,
  inviteExpiresAt: row.inviteExpiresAt?.toISOString() ?? null,
  acceptedAt: row.acceptedAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
});
