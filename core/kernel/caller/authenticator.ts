import type { Environment, RequestFacts, Role, SignedInUser } from './caller.js';

/** The credentials of a request. */
export interface Credentials {
  /** The bearer token, without the word Bearer; empty if the request has none. */
  bearer: string | undefined;
  /** The header Svc-Environment. */
  environmentId: string | undefined;
  request: RequestFacts;
}

/** A key as `findKey` returns it, with its environment and the account's state, from one indexed read. */
export interface FoundKey {
  id: string;
  name: string;
  lineage: string;
  memberId: string | null;
  role: Role;
  permissions: readonly string[];
  publishable: boolean;
  /** Browser origins that may use a publishable key; null for any. */
  allowedOrigins: readonly string[] | null;
  revoked: boolean;
  /** The operation that changes the key, named in errors about missing permissions. */
  updateOperation: string;
  /** The operation that makes another key, named if the role of this one is the reason. */
  createOperation: string;
  environment: Environment;
}

/** A dashboard session as `findSession` returns it. */
export interface FoundMember {
  memberId: string;
  email: string;
  role: Role;
  /** If they are not null, the member has only these permissions of the role. */
  permissions: readonly string[] | null;
  /** The operation that changes the member's role. */
  updateOperation: string;
  environment: Environment;
}

/** How products recognise credentials; several products each provide some of these. */
export interface Authenticator {
  /** @param digest SHA-256 of the bearer */
  findKey?: (digest: Buffer) => Promise<FoundKey | null>;
  /**
   * A session that lacks the second factor required by the dashboard learns nothing about environments.
   * @param environmentId the value of the header Svc-Environment
   * @param operation the operation that is called, named in mfa_required
   * @throws in this order: token_invalid, mfa_required, environment_required, forbidden
   */
  findSession?: (token: string, environmentId: string | undefined, operation: string) => Promise<FoundMember | null>;
  /**
   * The end user of an access token, with the current state of the session. Signed-out sessions are not found.
   * @returns null for a token that is invalid, expired or of another environment
   * @throws the plugin's `userRefusals`
   */
  findUserSession?: (accessToken: string, environment: Environment) => Promise<SignedInUser | null>;
  stop?: () => Promise<void>;
}
