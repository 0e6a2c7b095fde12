import {
  boolean,
  dateTime,
  list,
  named,
  nullable,
  object,
  oneOf,
  text,
  uuid,
  type ValueOf,
} from '#core/kernel/schema/schema.js';
import { signInMethods } from '../tables/sign-in-methods.js';
import type { SessionRow } from '../tables/session.js';

export const Tokens = named(
  'Tokens',
  object(
    {
      accessToken: text('A JWT that proves the sign-in. Check it offline with the keys at /auth/jwks/{environmentId}.'),
      accessTokenExpiresAt: dateTime('When the access token expires.'),
      refreshToken: text('For auth.session.refresh, once. A second use ends the session.'),
      refreshTokenExpiresAt: dateTime('When the refresh token expires.'),
      tokenType: oneOf(['Bearer'], 'The authorization scheme of the access token.'),
    },
    { description: 'The tokens of a session.' },
  ),
);

const sessionFields = {
  id: uuid('The session’s id: `sid` in its access tokens.'),
  familyId: uuid('The family of its refresh tokens: `fam` in its access tokens.'),
  userId: uuid('The user who signed in.'),
  createdAt: dateTime('When the user signed in.'),
  lastUsedAt: dateTime('When it was last refreshed.'),
  expiresAt: dateTime('When it expires unless it is refreshed.'),
  methods: list(oneOf(signInMethods), 'How the user signed in.'),
  mfa: boolean('Whether the sign-in passed two factors.'),
  ip: text('The IP address of the device at the last sign-in or refresh.'),
  location: nullable(text('The location of that IP address, if the deployment’s GeoIP file contains it.')),
  device: object(
    {
      browser: nullable(text('Such as “Firefox 140”.')),
      os: nullable(text('Such as “macOS 15”.')),
      kind: nullable(text('desktop, mobile, tablet, tv or bot.')),
    },
    {
      description:
        'The device, from the User-Agent header. A refresh by an app’s server, whose header names no system, changes neither device nor address.',
    },
  ),
  impersonatedBy: nullable(text('The impersonator; null for the user’s own sessions.')),
  organizationId: nullable(uuid('The active organization.')),
  endedAt: nullable(dateTime('When it ended; null while it is live.')),
  endReason: nullable(text('Why it ended: signed_out, revoked, refresh_reused, banned, deleted, password_changed.')),
};

const sessionColumns = [
  'id',
  'device',
  'ip',
  'location',
  'lastUsedAt',
  'endedAt',
  'endReason',
  'methods',
  'createdAt',
  'familyId',
] as const;

export const Session = named(
  'Session',
  object(sessionFields, { description: 'A sign-in and all of its refreshes.', columns: sessionColumns }),
);

export const OwnSession = named(
  'OwnSession',
  object(
    { ...sessionFields, current: boolean('Whether this is the current session.') },
    { description: 'One of the user’s own sessions.', columns: ['current', ...sessionColumns] },
  ),
);

export type TokensValue = ValueOf<typeof Tokens>;
export type SessionValue = ValueOf<typeof Session>;

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
