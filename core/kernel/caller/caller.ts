/** Who may act in an account, strongest first. */
export const roles = ['owner', 'admin', 'developer', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** The tenant of every row: a project's live or test side. Kernel-owned, because every request needs it. */
export interface Environment {
  id: string;
  projectId: string;
  accountId: string;
  kind: 'live' | 'test';
  /** Set while the account is closed: nothing leaves the environment. */
  closedAt: Date | null;
  /** Belongs to the deployment's first account. */
  operator: boolean;
}

/** What is known of the HTTP request (or tool call) behind a call. */
export interface RequestFacts {
  requestId: string;
  ip: string;
  userAgent: string | null;
  origin: string | null;
}

/** Acts inside an environment: a key, a member in the dashboard, or a hosted page of svc itself (see page-caller.ts). */
export interface TenantCaller {
  kind: 'key' | 'member' | 'page';
  id: string;
  /** For people, in audit records: the key's name or the member's address. */
  label: string;
  role: Role;
  permissions: ReadonlySet<string>;
  environment: Environment;
  /** What idempotency keys are scoped to: a key's first ancestor across rotations, or the member. */
  lineage: string;
  /** The member who is calling, or who made the key (or the key that made it). */
  memberId: string | null;
  /** The operation that gives this caller more permissions, for refusals. */
  updateOperation: string;
  publishable: boolean;
  /** The end user who is signed in, where the call carries their access token. */
  user: SignedInUser | null;
  request: RequestFacts;
}

/** An end user of the environment, by the session behind their access token. */
export interface SignedInUser {
  userId: string;
  /** The session, from sign-in through all of its refreshes. */
  sessionFamilyId: string;
  /** For people, in audit records: the user's address, number or name. */
  label: string;
  email: string | null;
  signedInAt: Date;
  /** The session passed a second factor. */
  secondFactor: boolean;
  /** The account's member who acts as this user; null where the user acts. */
  impersonator: { memberId: string; label: string } | null;
}

/** The caller of an operation with access `user`. */
export interface UserCaller extends TenantCaller {
  user: SignedInUser;
}

/** Nobody known: the operation's own token in the body is the credential, if it takes one. */
export interface PublicCaller {
  kind: 'public';
  request: RequestFacts;
}

/** The server itself: first start, workers. */
export interface SystemCaller {
  kind: 'system';
  label: string;
  request: RequestFacts;
}

export type Caller = TenantCaller | PublicCaller | SystemCaller;

export const isTenant = (caller: Caller): caller is TenantCaller =>
  caller.kind === 'key' || caller.kind === 'member' || caller.kind === 'page';
