import type { FactorValue } from './factors/resources.js';
import type { IdentityValue } from './identities/resources.js';
import type { OAuthAppValue } from './oauth/resources.js';
import type { OrganizationValue, OrgInviteValue, OrgMemberValue } from './organizations/resources.js';
import type { PasskeyValue } from './passkeys/resources.js';
import type { SessionValue, TokensValue } from './sessions/resources.js';
import type { SigningKeyValue } from './signing-keys/resources.js';
import type { UserValue } from './users/resources.js';
import { creationOptions, requestOptions, userHandleOf } from './passkeys/options.js';
import type { AuthenticationResponseValue, RegistrationResponseValue } from './passkeys/webauthn-json.js';

const createdAt = '2026-11-20T09:30:00.000Z';

export const exampleUser: UserValue = {
  id: '01890a5d-ac96-774b-bcce-b302099a9001',
  email: 'ada@example.com',
  emailVerified: true,
  phone: null,
  phoneVerified: false,
  name: 'Ada Lovelace',
  pictureUrl: null,
  locale: 'en',
  externalId: null,
  userMetadata: {},
  metadata: { plan: 'pro' },
  bannedAt: null,
  bannedUntil: null,
  lastSignInAt: createdAt,
  createdAt,
  updatedAt: createdAt,
};

export const exampleIdentity: IdentityValue = {
  id: '01890a5d-ac96-774b-bcce-b302099a9002',
  kind: 'email',
  value: 'ada@example.com',
  provider: null,
  verifiedAt: createdAt,
  primary: true,
  createdAt,
};

export const exampleSession: SessionValue = {
  id: '01890a5d-ac96-774b-bcce-b302099a9003',
  familyId: '01890a5d-ac96-774b-bcce-b302099a9003',
  userId: exampleUser.id,
  createdAt,
  lastUsedAt: createdAt,
  expiresAt: '2026-12-20T09:30:00.000Z',
  methods: ['code'],
  mfa: false,
  ip: '203.0.113.7',
  location: null,
  device: { browser: 'Firefox 140', os: 'macOS 15', kind: 'desktop' },
  impersonatedBy: null,
  organizationId: null,
  endedAt: null,
  endReason: null,
};

export const exampleTokens: TokensValue = {
  accessToken: 'eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMTg5MGE1ZCJ9.c2lnbmF0dXJl',
  accessTokenExpiresAt: '2026-11-20T09:45:00.000Z',
  refreshToken: 'svc_rt_example',
  refreshTokenExpiresAt: '2026-12-20T09:30:00.000Z',
  tokenType: 'Bearer',
};

export const examplePasskey: PasskeyValue = {
  id: '01890a5d-ac96-774b-bcce-b302099a9004',
  name: 'MacBook',
  credentialId: 'ZXhhbXBsZS1jcmVkZW50aWFs',
  transports: ['internal', 'hybrid'],
  backedUp: true,
  aaguid: 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd',
  createdAt,
  lastUsedAt: null,
};

export const exampleFactor: FactorValue = {
  id: '01890a5d-ac96-774b-bcce-b302099a9005',
  kind: 'totp',
  name: 'Phone',
  status: 'active',
  createdAt,
  activatedAt: createdAt,
};

export const exampleOrganization: OrganizationValue = {
  id: '01890a5d-ac96-774b-bcce-b302099a9006',
  name: 'Analytical Engines',
  slug: 'analytical-engines',
  logoUrl: null,
  metadata: {},
  requireMfa: false,
  memberCount: 2,
  createdAt,
  updatedAt: createdAt,
};

export const exampleOrgMember: OrgMemberValue = {
  userId: exampleUser.id,
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  role: 'owner',
  joinedAt: createdAt,
  updatedAt: createdAt,
};

export const exampleOrgInvite: OrgInviteValue = {
  id: '01890a5d-ac96-774b-bcce-b302099a9007',
  email: 'charles@example.com',
  role: 'member',
  invitedBy: exampleUser.id,
  expiresAt: '2026-11-27T09:30:00.000Z',
  createdAt,
  acceptedAt: null,
  revokedAt: null,
};

export const exampleOAuthApp: OAuthAppValue = {
  provider: 'google',
  name: 'Google',
  clientId: '1234567890.apps.example.com',
  issuer: 'https://accounts.google.com',
  scopes: ['openid', 'email', 'profile'],
  enabled: true,
  callbackUrl: 'https://svc.example.com/auth/01890a5d-ac96-774b-bcce-b302099a8000/callback/google',
  createdAt,
  updatedAt: createdAt,
};

export const exampleSigningKey: SigningKeyValue = {
  keyId: '01890a5d-ac96-774b-bcce-b302099a9008',
  algorithm: 'ES256',
  status: 'active',
  publicJwk: {
    kty: 'EC',
    crv: 'P-256',
    x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
    y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
  },
  createdAt,
  signsFrom: null,
  retiresAt: null,
};

export const exampleChallengeId = '01890a5d-ac96-774b-bcce-b302099a9011';

const challenge = 'dTUNkFdF1P7dFoMZfSuHTXy0lSGpLcZRdvgTxgVg8VQ';
const rpId = 'svc.example.com';

export const exampleRequestOptions = requestOptions(challenge, rpId);

export const exampleCreationOptions = creationOptions({
  challenge,
  rpId,
  rpName: 'Shop',
  user: exampleUser,
  label: 'ada@example.com',
  existing: [],
});

const credential = {
  id: examplePasskey.credentialId,
  rawId: examplePasskey.credentialId,
  type: 'public-key' as const,
  clientExtensionResults: {},
};

/** Shortened: base64url of JSON, CBOR and bytes. */
export const exampleRegistration: RegistrationResponseValue = {
  ...credential,
  response: { clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0', attestationObject: 'o2NmbXRkbm9uZQ' },
};

export const exampleAuthentication: AuthenticationResponseValue = {
  ...credential,
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
    authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4',
    signature: 'MEUCIQDKg1ZB',
    userHandle: userHandleOf(exampleUser.id),
  },
};
