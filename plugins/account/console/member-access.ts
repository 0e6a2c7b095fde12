import { catalogue, textAt, type Row } from '#core/surfaces/console/kit/index.js';

/* What members may do, as people choose it: a role, or a part of one that has a name here. */

/** What `account.member.invite` and `account.member.role.set` take. */
export interface Grant {
  readonly role: string;
  /** Null for all that the role holds. */
  readonly permissions: readonly string[] | null;
}

export interface Access extends Grant {
  readonly id: string;
  readonly title: string;
  /** What it allows, as a sentence. */
  readonly text: string;
}

const whole = (role: string, title: string, text: string): Access => ({
  id: role,
  role,
  title,
  text,
  permissions: null,
});

/** The permissions that operations of this server need. */
const known = (): Set<string> =>
  new Set((catalogue.value?.operations ?? []).flatMap(({ permission }) => permission ?? []));

const part = (id: string, title: string, text: string, permissions: readonly string[]): Access => {
  const here = known();
  return { id, role: 'developer', title, text, permissions: permissions.filter((each) => here.has(each)).sort() };
};

const both = (...products: string[]): string[] => products.flatMap((each) => [`${each}:read`, `${each}:write`]);

/** What can be chosen, strongest first. */
export const accesses = (): readonly Access[] => [
  whole('owner', 'Owner', 'Everything.'),
  whole('admin', 'Admin', 'Everything except what is reserved for owners, such as closing the account.'),
  whole('developer', 'Developer', 'Sees everything, and changes everything except the account and billing.'),
  part(
    'marketer',
    'Marketer',
    'Works with contacts, email and SMS. Does not see keys, users, sign-in settings or invoices.',
    ['account:read', ...both('audience', 'email', 'sms')],
  ),
  part(
    'support',
    'Support',
    'Sees everything. Changes contacts, consent, suppressions and users, answers messages and signs in as a user with a reason. Sign-in settings belong to users, so they can be changed too.',
    [
      ...[...known()].filter((each) => each.endsWith(':read')),
      ...both('audience', 'auth', 'email', 'sms').filter((each) => each.endsWith(':write')),
    ],
  ),
  whole('viewer', 'Viewer', 'Sees everything and changes nothing.'),
];

/** All permissions that a role can be narrowed to. */
export const choices = (): string[] => [...known()].sort();

const isSame = (one: readonly string[] | null, other: readonly string[] | null): boolean =>
  one === null || other === null ? one === other : [...one].sort().join() === [...other].sort().join();

/** What a member's row says. */
export const grantOf = (row: Row): Grant => {
  const permissions = row['permissions'];
  return { role: textAt(row, 'role'), permissions: Array.isArray(permissions) ? permissions.map(String) : null };
};

/** The access with a name that a grant is; undefined for other parts of a role. */
export const accessOf = ({ role, permissions }: Grant): Access | undefined =>
  accesses().find((each) => each.role === role && isSame(each.permissions, permissions));

/** What a grant is called: “Marketer”, or “Part of developer”. */
export const accessTitle = (grant: Grant): string => accessOf(grant)?.title ?? `Part of ${grant.role}`;
