import {
  blobColumn,
  digestColumn,
  exactColumn,
  nullable,
  primary,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';

/** What oidc-provider stores: sessions, grants, codes and tokens. Deleted a day after they expire. */
export const openidRecords = defineTable('auth_openid_record', {
  environmentId: primary(uuidColumn()),
  /** Of the model's name and the id, which is the code or the token itself. */
  idDigest: primary(digestColumn()),
  /** Of the grant that it was issued under, so that a grant is revoked with everything under it. */
  grantDigest: nullable(digestColumn()),
  uidDigest: nullable(digestColumn()),
  userId: nullable(uuidColumn()),
  /** JSON, sealed. */
  payload: blobColumn(),
  consumedAt: nullable(timeColumn()),
  /** Of a grant: the app, the session, and when the person first signed in to the app in it. */
  appId: nullable(exactColumn(64)),
  /** The app's own id (openid-app.ts); null for grants of apps, or from a time, without one. */
  appUid: nullable(uuidColumn()),
  sessionId: nullable(uuidColumn()),
  createdAt: nullable(timeColumn()),
  expiresAt: timeColumn(),
});
