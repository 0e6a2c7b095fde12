import { declareEvents } from '#core/kernel/event.js';
import { boolean, list, nullable, object, oneOf, optional, text, uuid } from '#core/kernel/schema/schema.js';
import {
  exampleFactor,
  exampleIdentity,
  exampleOAuthApp,
  exampleOrganization,
  exampleOrgInvite,
  exampleOrgMember,
  examplePasskey,
  exampleSession,
  exampleSigningKey,
  exampleUser,
} from './examples.js';
import { Factor } from './factors/resources.js';
import { Identity } from './identities/resources.js';
import { identityKinds } from './tables/identity.js';
import { OAuthApp } from './oauth/resources.js';
import { Organization, OrgInvite, OrgMember } from './organizations/resources.js';
import { Passkey } from './passkeys/resources.js';
import { Session } from './sessions/resources.js';
import { defaultSettings, AuthSettings } from './settings/resources.js';
import { signInMethods } from './tables/sign-in-methods.js';
import { SigningKey } from './signing-keys/resources.js';
import { User } from './users/resources.js';

const user = { subject: 'user', data: object({ user: User }), example: { user: exampleUser } };
const ofUser = { userId: uuid('The user.') };
const userId = exampleUser.id;
const session = {
  subject: 'session',
  data: object({ session: Session }),
  example: { session: exampleSession },
};
const ended = {
  subject: 'session',
  data: object({ session: Session }),
  example: { session: { ...exampleSession, endedAt: '2026-11-21T08:00:00.000Z', endReason: 'revoked' } },
};
const identity = {
  subject: 'user',
  data: object({ ...ofUser, identity: Identity }),
  example: { userId, identity: exampleIdentity },
};
const passkey = {
  subject: 'user',
  data: object({ ...ofUser, passkey: Passkey }),
  example: { userId, passkey: examplePasskey },
};
const factor = {
  subject: 'user',
  data: object({ ...ofUser, factor: Factor }),
  example: { userId, factor: exampleFactor },
};
const onlyUser = { subject: 'user', data: object(ofUser), example: { userId } };
const organization = {
  subject: 'organization',
  data: object({ organization: Organization }),
  example: { organization: exampleOrganization },
};
const orgMember = {
  subject: 'organization',
  data: object({ organizationId: uuid('The organization.'), member: OrgMember }),
  example: { organizationId: exampleOrganization.id, member: exampleOrgMember },
};
const orgInvite = {
  // The invitation, so that erasing the invited person finds only its events.
  subject: 'invite',
  data: object({ organizationId: uuid('The organization.'), invite: OrgInvite }),
  example: { organizationId: exampleOrganization.id, invite: exampleOrgInvite },
};
const device = {
  subject: 'device',
  data: object({
    clientName: text('The device or program that requested the sign-in.'),
    userId: nullable(uuid('The user who decided; null before the decision.')),
  }),
  example: { clientName: 'svc command line', userId },
};
const settings = {
  subject: 'environment',
  data: object({ settings: AuthSettings }),
  example: { settings: defaultSettings },
};
const method = oneOf(signInMethods, 'The method.');

export const events = declareEvents({
  'auth.user.created': { ...user, summary: 'A user signed up, or was created or imported by a server.' },
  'auth.user.updated': { ...user, summary: 'A user’s details, primary address or metadata changed.' },
  'auth.user.deleted': { ...onlyUser, summary: 'A user was deleted and their personal data erased.' },
  'auth.user.banned': {
    ...user,
    summary: 'A user was banned. All of their sessions ended.',
    example: { user: { ...exampleUser, bannedAt: '2026-11-21T08:00:00.000Z' } },
  },
  'auth.user.unbanned': { ...user, summary: 'The ban on a user was lifted.' },
  'auth.user.impersonated': {
    ...session,
    summary: 'A session was opened as the user by someone else, for at most 30 minutes.',
    example: { session: { ...exampleSession, methods: ['impersonation'], impersonatedBy: 'Support key' } },
  },
  'auth.signin.started': {
    summary:
      'A sign-in was started with a code, a link or a passkey. The event does not reveal whether the user exists.',
    subject: 'challenge',
    data: object({ method, identityKind: nullable(oneOf(identityKinds, 'The kind of identity that was entered.')) }),
    example: { method: 'code', identityKind: 'email' },
  },
  'auth.signin.completed': { ...session, summary: 'A user signed in.' },
  'auth.signin.failed': {
    summary: 'A sign-in failed.',
    subject: 'challenge',
    data: object({
      method,
      reason: text('The error code that the caller got.'),
      userId: nullable(uuid('The user who tried to sign in, if known.')),
    }),
    example: { method: 'password', reason: 'invalid_credentials', userId: null },
  },
  'auth.link.completed': { ...onlyUser, summary: 'A magic link was used.' },
  'auth.oauth.started': {
    summary: 'A browser was sent to a provider to sign in.',
    subject: 'challenge',
    data: object({
      provider: text('The provider.'),
      userId: nullable(uuid('The signed-in user who is adding the identity.')),
    }),
    example: { provider: 'google', userId: null },
  },
  'auth.session.refreshed': { ...session, summary: 'A session was refreshed.' },
  'auth.session.revoked': {
    ...ended,
    summary: 'A session was ended by the user elsewhere, by a server, or by a password change.',
  },
  'auth.session.signed_out': {
    ...ended,
    summary: 'A user signed out.',
    example: { session: { ...ended.example.session, endReason: 'signed_out' } },
  },
  'auth.session.exchanged': {
    summary:
      'A handoff code was exchanged for tokens, or a user signed in to an app by OpenID Connect for the first time in this session.',
    subject: 'session',
    data: object({
      session: Session,
      app: optional(
        object(
          { appId: text('Its `client_id`.'), scopes: list(text(), 'What it may know.') },
          { description: 'The app that was signed in to; absent for a handoff code.' },
        ),
      ),
    }),
    example: { session: exampleSession },
  },
  'auth.session.family_revoked': {
    ...ended,
    summary: 'A used refresh token was presented again. The session ended, because the token may have been copied.',
    example: { session: { ...ended.example.session, endReason: 'refresh_reused' } },
  },
  'auth.identity.add_started': {
    summary: 'A user started adding an address or number. A code was sent to it.',
    subject: 'user',
    data: object({ ...ofUser, kind: oneOf(['email', 'phone'], 'The kind of identity that is being added.') }),
    example: { userId, kind: 'email' as const },
  },
  'auth.identity.added': { ...identity, summary: 'A user added a verified address, number or provider account.' },
  'auth.identity.removed': { ...identity, summary: 'A user removed an address, number or provider account.' },
  'auth.passkey.added': { ...passkey, summary: 'A user registered a passkey.' },
  'auth.passkey.removed': { ...passkey, summary: 'A user removed a passkey.' },
  'auth.password.set': { ...onlyUser, summary: 'A user set a first password.' },
  'auth.password.changed': { ...onlyUser, summary: 'A user changed their password.' },
  'auth.password.removed': { ...onlyUser, summary: 'A user removed their password.' },
  'auth.factor.activated': { ...factor, summary: 'A user activated a second factor.' },
  'auth.factor.removed': { ...factor, summary: 'A user removed the second factor.' },
  'auth.factor.replaced': { ...factor, summary: 'A user replaced the second factor.' },
  'auth.factor.recovery_regenerated': {
    ...onlyUser,
    summary: 'A user’s recovery codes were replaced. The old ones stopped working.',
  },
  'auth.mfa.required': {
    summary: 'A sign-in passed its first factor and awaits the second.',
    subject: 'user',
    data: object({ ...ofUser, methods: list(method, 'The methods that the sign-in has passed.') }),
    example: { userId, methods: ['password' as const] },
  },
  'auth.mfa.failed': {
    summary: 'A second factor was rejected.',
    subject: 'user',
    data: object({ ...ofUser, reason: text('The error code that the caller got.') }),
    example: { userId, reason: 'wrong_code' },
  },
  'auth.mfa.recovery_used': { ...onlyUser, summary: 'A user passed the second factor with a recovery code.' },
  'auth.device.started': {
    ...device,
    summary: 'A device requested to be signed in.',
    example: { clientName: 'svc command line', userId: null },
  },
  'auth.device.approved': { ...device, summary: 'A user approved a device.' },
  'auth.device.denied': { ...device, summary: 'A user denied a device.' },
  'auth.device.completed': { ...session, summary: 'An approved device received its tokens.' },
  'auth.org.created': { ...organization, summary: 'An organization was created.' },
  'auth.org.updated': { ...organization, summary: 'An organization’s name, slug, logo, metadata or rules changed.' },
  'auth.org.deleted': { ...organization, summary: 'An organization was deleted.' },
  'auth.org.invited': { ...orgInvite, summary: 'An address was invited to an organization.' },
  'auth.org.invite_revoked': {
    ...orgInvite,
    summary: 'An invitation was withdrawn.',
    example: { ...orgInvite.example, invite: { ...exampleOrgInvite, revokedAt: '2026-11-21T08:00:00.000Z' } },
  },
  'auth.org.joined': { ...orgMember, summary: 'A user joined an organization.' },
  'auth.org.left': { ...orgMember, summary: 'A user left an organization.' },
  'auth.org.member_updated': { ...orgMember, summary: 'A member’s role changed.' },
  'auth.org.member_removed': { ...orgMember, summary: 'A member was removed.' },
  'auth.org.switched': {
    ...session,
    summary: 'A session’s active organization was set or cleared.',
    example: { session: { ...exampleSession, organizationId: exampleOrganization.id } },
  },
  'auth.settings.changed': { ...settings, summary: 'The sign-in settings changed.' },
  'auth.settings.reset': { ...settings, summary: 'The sign-in settings were reset to their defaults.' },
  'auth.oauth.app.changed': {
    summary: 'A provider was configured, changed or removed.',
    subject: 'oauth_app',
    data: object({ app: OAuthApp, removed: boolean('Whether it was removed.') }),
    example: { app: exampleOAuthApp, removed: false },
  },
  'auth.signing_key.rotated': {
    summary: 'A new key was published. It signs access tokens from `signsFrom` on.',
    subject: 'signing_key',
    data: object({ key: SigningKey, previous: SigningKey }),
    example: {
      key: exampleSigningKey,
      previous: {
        ...exampleSigningKey,
        keyId: '01890a5d-ac96-774b-bcce-b302099a9009',
        status: 'published' as const,
        retiresAt: '2026-11-20T10:30:00.000Z',
      },
    },
  },
  'auth.signing_key.retired': {
    summary: 'A key was removed from the published set. Tokens that it signed no longer verify.',
    subject: 'signing_key',
    data: object({ key: SigningKey }),
    example: { key: { ...exampleSigningKey, status: 'retired' as const } },
  },
});

declare module '#core/kernel/event.js' {
  interface DeclaredEvents extends Readonly<typeof events> {}
}
