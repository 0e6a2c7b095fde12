import {
  boolean,
  integer,
  list,
  map,
  named,
  nullable,
  object,
  oneOf,
  optional,
  text,
  url,
  type Schema,
  type ValueOf,
} from '#core/kernel/schema/schema.js';
import { App, appPatch, maxApps } from './apps.js';
import { maxClaims } from './claims.js';

const limit = (description: string): Schema<{ max: number; windowSeconds: number }> =>
  object(
    {
      max: integer('How many.', { minimum: 1, maximum: 100 }),
      windowSeconds: integer('The length of the window in seconds.', { minimum: 60, maximum: 86_400 }),
    },
    { description },
  );

export const builtInMethods = ['code', 'link', 'password', 'passkey', 'sms'] as const;
export type BuiltInMethod = (typeof builtInMethods)[number];
const signupRules = ['anyone', 'invited', 'nobody'] as const;

/** The description of each setting. The same texts are used where settings are shown and where they are changed. */
const words = {
  accessTokenSeconds: 'The lifetime of an access token.',
  refreshTokenSeconds: 'How long a session lives without a refresh.',
  rateLimits: 'How often sign-ins may be started and completed.',
  startPerIdentifier:
    'Sign-in starts and password attempts per address or number from one IP address. From all IP addresses together, four times as many.',
  startPerIp: 'Sign-in starts and password attempts per IP address.',
  completePerIp: 'Links, invalid handoff codes and wrong codes per IP address, each counted separately.',
  botProtection: 'Limits on new users.',
  botProtectionEnabled: 'Whether new users per IP address are limited.',
  signupPerIp: 'New users per IP address.',
  signup: 'Who can become a user by signing in.',
  allow: 'anyone; invited: only people with an open invitation to an organization; nobody.',
  allowedDomains: 'If not empty, only addresses at these domains can become users.',
  blockedDomains: 'Addresses at these domains cannot become users.',
  methods: 'By method: code, link, password, passkey, sms, and provider names. Only sms is off by default.',
  method: 'One method.',
  enabled: 'Whether it is on.',
  mfa: 'Second factors.',
  required: 'Whether every session needs a second factor.',
  password: 'New passwords.',
  minLength: 'The minimum length of a new password, in characters.',
  checkBreached: 'Whether new passwords are looked up in lists of known passwords.',
  passkeys: 'Passkeys.',
  rpId: 'The relying party id: the domain that passkeys are bound to. If empty, the host of the hosted pages.',
  organizations: 'Organizations of users.',
  organizationsEnabled: 'Whether users may create organizations.',
  maxPerUser: 'A user who owns this many organizations cannot create another.',
  redirectUrls:
    'Where sign-ins may return to: https origins (http on loopback hosts), full URLs, and app URLs (com.example.app:/callback), which must match exactly. android:apk-key-hash:… allows the passkeys of an Android app but no redirects.',
  impersonation: 'Impersonated sessions.',
  impersonationEnabled: 'Whether secret keys can impersonate users.',
  selfDelete: 'Deletion by the users themselves.',
  selfDeleteEnabled: 'Whether users can delete their own account.',
  claims: 'Claims of access tokens, each with the key of `metadata` that provides its value.',
  apps: 'The apps that users sign in to by OpenID Connect, by `client_id`.',
} as const;

const enabled = object({ enabled: boolean(words.enabled) }, { description: words.method });
const accessTokenSeconds = integer(words.accessTokenSeconds, { minimum: 300, maximum: 3_600 });
const refreshTokenSeconds = integer(words.refreshTokenSeconds, { minimum: 3_600, maximum: 31_536_000 });
const minLength = integer(words.minLength, { minimum: 8, maximum: 64 });
const maxPerUser = integer(words.maxPerUser, { minimum: 1, maximum: 1_000 });

export const AuthSettings = named(
  'AuthSettings',
  object(
    {
      accessTokenSeconds,
      refreshTokenSeconds,
      rateLimits: object(
        {
          startPerIdentifier: limit(words.startPerIdentifier),
          startPerIp: limit(words.startPerIp),
          completePerIp: limit(words.completePerIp),
        },
        { description: words.rateLimits },
      ),
      botProtection: object(
        { enabled: boolean(words.botProtectionEnabled), signupPerIp: limit(words.signupPerIp) },
        { description: words.botProtection },
      ),
      signup: object(
        {
          allow: oneOf(signupRules, words.allow),
          allowedDomains: list(text(), words.allowedDomains),
          blockedDomains: list(text(), words.blockedDomains),
        },
        { description: words.signup },
      ),
      methods: map(enabled, words.methods),
      mfa: object({ required: boolean(words.required) }, { description: words.mfa }),
      password: object({ minLength, checkBreached: boolean(words.checkBreached) }, { description: words.password }),
      passkeys: object({ rpId: text(words.rpId) }, { description: words.passkeys }),
      organizations: object(
        { enabled: boolean(words.organizationsEnabled), maxPerUser },
        { description: words.organizations },
      ),
      redirectUrls: list(url(), words.redirectUrls),
      impersonation: object({ enabled: boolean(words.impersonationEnabled) }, { description: words.impersonation }),
      selfDelete: object({ enabled: boolean(words.selfDeleteEnabled) }, { description: words.selfDelete }),
      claims: map(text(), words.claims),
      apps: map(App, words.apps),
    },
    { description: 'The sign-in settings of an environment.' },
  ),
);

export type AuthSettingsValue = ValueOf<typeof AuthSettings>;

const limitPatch = (description: string) =>
  optional(
    object(
      {
        max: optional(integer('How many.', { minimum: 1, maximum: 100 })),
        windowSeconds: optional(integer('The length of the window in seconds.', { minimum: 60, maximum: 86_400 })),
      },
      { description },
    ),
  );

const domainList = (description: string) =>
  optional(list(text(undefined, { maxLength: 253 }), description, { maxItems: 500 }));

/** The input of `auth.settings.set`: every field may be absent, and objects merge key by key. */
export const settingsPatch = {
  accessTokenSeconds: optional(accessTokenSeconds),
  refreshTokenSeconds: optional(refreshTokenSeconds),
  rateLimits: optional(
    object(
      {
        startPerIdentifier: limitPatch(words.startPerIdentifier),
        startPerIp: limitPatch(words.startPerIp),
        completePerIp: limitPatch(words.completePerIp),
      },
      { description: words.rateLimits },
    ),
  ),
  botProtection: optional(
    object(
      { enabled: optional(boolean(words.botProtectionEnabled)), signupPerIp: limitPatch(words.signupPerIp) },
      { description: words.botProtection },
    ),
  ),
  signup: optional(
    object(
      {
        allow: optional(oneOf(signupRules, words.allow)),
        allowedDomains: domainList(words.allowedDomains),
        blockedDomains: domainList(words.blockedDomains),
      },
      { description: words.signup },
    ),
  ),
  methods: optional(map(enabled, words.methods, { maxProperties: 60 })),
  mfa: optional(object({ required: optional(boolean(words.required)) }, { description: words.mfa })),
  password: optional(
    object(
      { minLength: optional(minLength), checkBreached: optional(boolean(words.checkBreached)) },
      { description: words.password },
    ),
  ),
  passkeys: optional(object({ rpId: optional(text(words.rpId, { maxLength: 253 })) }, { description: words.passkeys })),
  organizations: optional(
    object(
      { enabled: optional(boolean(words.organizationsEnabled)), maxPerUser: optional(maxPerUser) },
      { description: words.organizations },
    ),
  ),
  redirectUrls: optional(list(url(), words.redirectUrls, { maxItems: 100, uniqueItems: true })),
  impersonation: optional(
    object({ enabled: optional(boolean(words.impersonationEnabled)) }, { description: words.impersonation }),
  ),
  selfDelete: optional(
    object({ enabled: optional(boolean(words.selfDeleteEnabled)) }, { description: words.selfDelete }),
  ),
  claims: optional(
    map(nullable(text(undefined, { minLength: 1, maxLength: 200 })), `${words.claims} null removes a claim.`, {
      maxProperties: maxClaims,
    }),
  ),
  apps: optional(map(nullable(appPatch), `${words.apps} null removes an app.`, { maxProperties: maxApps })),
};

export type SettingsPatch = ValueOf<ReturnType<typeof object<typeof settingsPatch>>>;

/** The settings of an environment until it changes them (docs/sign-in.md). */
export const defaultSettings: AuthSettingsValue = {
  accessTokenSeconds: 900,
  refreshTokenSeconds: 2_592_000,
  rateLimits: {
    startPerIdentifier: { max: 5, windowSeconds: 600 },
    startPerIp: { max: 30, windowSeconds: 600 },
    completePerIp: { max: 30, windowSeconds: 600 },
  },
  botProtection: { enabled: true, signupPerIp: { max: 5, windowSeconds: 3_600 } },
  signup: { allow: 'anyone', allowedDomains: [], blockedDomains: [] },
  methods: {
    code: { enabled: true },
    link: { enabled: true },
    password: { enabled: true },
    passkey: { enabled: true },
    // Acquiring a number to send texts must not enable a way to sign in.
    sms: { enabled: false },
  },
  mfa: { required: false },
  password: { minLength: 8, checkBreached: true },
  passkeys: { rpId: '' },
  organizations: { enabled: true, maxPerUser: 100 },
  redirectUrls: [],
  impersonation: { enabled: true },
  selfDelete: { enabled: false },
  claims: {},
  apps: {},
};
