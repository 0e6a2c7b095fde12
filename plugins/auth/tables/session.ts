import { owned } from '#core/kernel/environment/owned.js';
import {
  exactColumn,
  bytesColumn,
  digestColumn,
  flagColumn,
  idColumn,
  intColumn,
  jsonColumn,
  nullable,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';
import type { SignInMethod } from './sign-in-methods.js';

/** Sessions, from sign-in through all of their refreshes. The session's id is the id of the token family. */
export const sessions = owned(
  defineTable('auth_session', {
    id: idColumn(),
    environmentId: uuidColumn(),
    userId: uuidColumn(),
    /** How often it was refreshed. Only the refresh token of this generation is valid. */
    generation: intColumn(),
    /** The key of the MAC in its refresh tokens, sealed. */
    tokenSecret: bytesColumn(100),
    methods: jsonColumn<SignInMethod[]>(),
    mfa: flagColumn(),
    organizationId: nullable(uuidColumn()),
    /**
     * The identity or passkey that was proven; null for impersonated sessions and those from before this was recorded.
     */
    openedBy: nullable(uuidColumn()),
    /** The member or key that impersonates the user. */
    impersonatorId: nullable(uuidColumn()),
    impersonatorLabel: nullable(textColumn(254)),
    /** The key with which the user is impersonated; null if a member impersonates the user at the dashboard. */
    impersonatorKeyId: nullable(uuidColumn()),
    impersonationReason: nullable(textColumn(500)),
    ip: exactColumn(45),
    location: nullable(textColumn(200)),
    userAgent: nullable(textColumn(400)),
    browser: nullable(textColumn(80)),
    os: nullable(textColumn(80)),
    deviceKind: nullable(exactColumn(16)),
    /** When the person last proved who they are. */
    signedInAt: timeColumn(),
    createdAt: timeColumn(),
    lastUsedAt: timeColumn(),
    expiresAt: timeColumn(),
    endedAt: nullable(timeColumn()),
    endReason: nullable(exactColumn(24)),
    /** Recognises a repeat of the refresh that led to this generation (sessions/refresh-token.ts). */
    refreshKeyDigest: nullable(digestColumn()),
  }),
  { thing: 'session', lookup: 'auth.session.list' },
);

export type SessionRow = RowOf<typeof sessions>;
