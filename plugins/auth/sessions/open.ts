import { randomBytes } from 'node:crypto';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { shift } from '#core/runtime/clock.js';
import { newId } from '#core/runtime/id.js';
import type { AuthSettingsValue } from '../settings/resources.js';
import type { SignInMethod } from '../tables/sign-in-methods.js';
import { sessions, type SessionRow } from '../tables/session.js';
import type { UserRow } from '../tables/user.js';
import { countActiveUser } from './active-user.js';
import { clientFacts } from './device.js';
import { sealTokenSecret } from './refresh-token.js';

export interface NewSession {
  user: UserRow;
  settings: AuthSettingsValue;
  /** The methods that the sign-in passed. */
  methods: SignInMethod[];
  /** The identity or passkey that was proven; null for an impersonation. */
  openedBy: string | null;
  /** Whether it passed two factors. */
  mfa: boolean;
  /** When the person proved who they are, if not now: on the device that approved this one. */
  signedInAt?: Date;
  /** Whether the user is known to count as active this month already. */
  isCounted?: boolean;
  /** Who impersonates the user, with which key, for what reason, and for how many seconds. */
  impersonation?: { id: string; keyId: string | null; label: string; reason: string; seconds: number };
}

/**
 * Opens a session for a user, from the caller's device. The tokens are issued separately: a handoff issues them later
 * (tokens.ts).
 */
export async function openSession(
  context: Pick<Context, 'db' | 'clock' | 'vault' | 'caller' | 'deployment' | 'use'>,
  environment: Environment,
  { user, settings, methods, openedBy, mfa, signedInAt, isCounted = false, impersonation }: NewSession,
): Promise<SessionRow> {
  const { db, clock, vault, caller, deployment } = context;
  const now = clock.now();
  const id = newId();
  const row: SessionRow = {
    id,
    environmentId: environment.id,
    userId: user.id,
    generation: 0,
    tokenSecret: sealTokenSecret(vault, id, randomBytes(32)),
    methods,
    mfa,
    organizationId: null,
    openedBy,
    impersonatorId: impersonation?.id ?? null,
    impersonatorLabel: impersonation?.label ?? null,
    impersonatorKeyId: impersonation?.keyId ?? null,
    impersonationReason: impersonation?.reason ?? null,
    ...clientFacts(deployment, caller.request),
    signedInAt: signedInAt ?? now,
    createdAt: now,
    lastUsedAt: now,
    expiresAt: shift(now, (impersonation?.seconds ?? settings.refreshTokenSeconds) * 1000),
    endedAt: null,
    endReason: null,
    refreshKeyDigest: null,
  };
  await db.defer(sessions.insertRows([row]));
  if (!impersonation && !isCounted) await countActiveUser(context, environment, user.id);
  return row;
}
