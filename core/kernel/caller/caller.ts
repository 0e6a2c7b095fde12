/** Who may act in an account, strongest first. */
export const roles = ['owner', 'admin', 'developer', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** The role that a column contains; the weakest role if this version does not know the value. */
export const roleFrom = (stored: Buffer): Role => roles.find((role) => role === stored.toString()) ?? 'viewer';

/** The tenant of every row: a project's live or test side. Kernel-owned, because every request needs it. */
export interface Environment {
  id: string;
  projectId: string;
  accountId: string;
  kind: 'live' | 'test';
  /**
   * Set while the account is closed or the project is archived: no message is sent and no import runs. Webhooks, reads
   * and recipients' opt-outs continue.
   */
  closedAt: Date | null;
  /** Set while the project is archived: its keys are refused, and members change nothing in it. */
  archivedAt: Date | null;
  /** Belongs to the deployment's first account. */
  operator: boolean;
}

/** The HTTP request (or tool call) behind a call. */
export interface RequestFacts {
  requestId: string;
  ip: string;
  userAgent: string | null;
  origin: string | null;
  /** What made a call from one of svc's own pages, such as `one-click unsubscribe`; absent in calls over HTTP. */
  via?: string;
  /** Whether the client's connection is still open; absent without a connection. */
  isWaiting?: () => boolean;
}

/**
 * Acts inside an environment: a key, a member in the dashboard, or a hosted page of svc itself (see runner.ts).
 */
export interface TenantCaller {
  kind: 'key' | 'member' | 'page';
  id: string;
  /** For people, in audit records: the key's name or the member's address. */
  label: string;
  role: Role;
  permissions: ReadonlySet<string>;
  environment: Environment;
  /** The scope of idempotency keys and of the limit per key: the first key of a chain of rotations, or the member. */
  lineage: string;
  /** The member who is calling, or the creator of the key (a member or another key). */
  memberId: string | null;
  /** The operation that gives this caller more permissions, named in errors. */
  updateOperation: string;
  /** For keys: the operation that makes another one, named in errors if the role of this one is the reason. */
  createOperation: string | null;
  publishable: boolean;
  /** The signed-in end user, if the call includes their access token. */
  user: SignedInUser | null;
  request: RequestFacts;
}

/** An end user of the environment, from the session of their access token. */
export interface SignedInUser {
  userId: string;
  /** The session, from sign-in through all of its refreshes. */
  sessionFamilyId: string;
  /** For people, in audit records: the user's address, number or name. */
  label: string;
  email: string | null;
  signedInAt: Date;
  /** When the presented access token expires. A token issued for it expires no later. */
  tokenExpiresAt: Date;
  /** The session passed a second factor. */
  secondFactor: boolean;
  /** The user has an active second factor that the session has not passed. */
  lacksActiveFactor: boolean;
  /** The environment or the session's organization requires a second factor that the session has not passed. */
  lacksRequiredFactor: boolean;
  /** The account's member who impersonates this user; null if the user acts. */
  impersonator: { memberId: string; label: string } | null;
}

/** The caller of an operation with access `user`. */
export interface UserCaller extends TenantCaller {
  user: SignedInUser;
}

/** An unknown caller: the credential, if any, is a token in the operation's input. */
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

/** A visitor of a hosted page: nobody knows who it is. */
export interface Visitor {
  /** The environment that the page belongs to. */
  environment: Environment;
  request: RequestFacts;
}

export type Caller = TenantCaller | PublicCaller | SystemCaller;

export const isTenant = (caller: Caller): caller is TenantCaller =>
  caller.kind === 'key' || caller.kind === 'member' || caller.kind === 'page';
