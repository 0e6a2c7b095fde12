import type { SessionRow } from '../tables/session.js';
import type { SessionValue } from './resources.js';

/** A session as replies and events show it. */
export const presentSession = (row: SessionRow): SessionValue => ({
  id: row.id,
  familyId: row.id,
  userId: row.userId,
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  methods: row.methods,
  mfa: row.mfa,
  ip: row.ip,
  location: row.location,
  device: { browser: row.browser, os: row.os, kind: row.deviceKind },
  impersonatedBy: row.impersonatorLabel,
  organizationId: row.organizationId,
  endedAt: row.endedAt?.toISOString() ?? null,
  endReason: row.endReason,
});
