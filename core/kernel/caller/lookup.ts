import type { Environment, Role } from './caller.js';

/** A key as `findKey` brings it, with its environment and the account's state, in one indexed read. */
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
  environment: Environment;
}

/** A dashboard session as `findSession` brings it. */
export interface FoundMember {
  memberId: string;
  email: string;
  role: Role;
  environment: Environment;
}

/** Who recognises credentials: developers provides keys, auth provides dashboard sessions. */
export interface Authenticator {
  /** @param digest SHA-256 of the bearer */
  findKey?: (digest: Buffer) => Promise<FoundKey | null>;
  /**
   * @param environmentId what the header Svc-Environment names
   * @throws environment_required, forbidden, token_invalid
   */
  findSession?: (token: string, environmentId: string | undefined) => Promise<FoundMember | null>;
  stop?: () => Promise<void>;
}
