import {
  boolean,
  integer,
  list,
  map,
  named,
  object,
  oneOf,
  optional,
  text,
  url,
  type ValueOf,
} from '#core/kernel/schema/schema.js';

const enabled = object({ enabled: boolean('Whether it is on.') });
const limit = object({
  max: integer('How many.', { minimum: 1, maximum: 100 }),
  windowSeconds: integer('In how many seconds.', { minimum: 60, maximum: 86_400 }),
});

export const builtInMethods = ['code', 'link', 'password', 'passkey', 'sms'] as const;
export type BuiltInMethod = (typeof builtInMethods)[number];
export const signupRules = ['anyone', 'invited', 'nobody'] as const;

export const AuthSettings = named(
  'AuthSettings',
  object(
    {
      accessTokenSeconds: integer('How long an access token is valid.', { minimum: 300, maximum: 3_600 }),
      refreshTokenSeconds: integer('How long a session lives without a refresh.', {
        minimum: 3_600,
        maximum: 31_536_000,
      }),
      rateLimits: object(
        { startPerIdentifier: limit, startPerIp: limit, completePerIp: limit },
        { description: 'How often sign-ins may be started and completed.' },
      ),
      botProtection: object({ enabled: boolean('Whether new users per IP address are limited.'), signupPerIp: limit }),
      signup: object({
        allow: oneOf(
          signupRules,
          'Who may become a user by signing in: anyone, people with an open invitation to an organization, or nobody.',
        ),
        allowedDomains: list(text(), 'Only addresses of these domains become users; empty for all.'),
        blockedDomains: list(text(), 'Addresses of these domains become no users.'),
      }),
      methods: map(enabled, 'By method: code, link, password, passkey, sms, and the names of providers.'),
      mfa: object({ required: boolean('Whether every session needs a second factor.') }),
      password: object({
        minLength: integer('The shortest new password, in characters.', { minimum: 8, maximum: 64 }),
        checkBreached: boolean('Whether new passwords are looked up in lists of known ones.'),
      }),
      passkeys: object({
        rpId: text(
          'The relying party’s id: the domain that passkeys are bound to. Empty for the host of the hosted pages.',
        ),
      }),
      organizations: object({
        enabled: boolean('Whether users may create organizations.'),
        maxPerUser: integer('How many organizations a user may own.', { minimum: 1, maximum: 1_000 }),
      }),
      redirectUrls: list(
        url(),
        'Where sign-ins may return to: origins, or longer addresses that must match as a whole.',
      ),
      impersonation: object({ enabled: boolean('Whether secret keys may impersonate users.') }),
      selfDelete: object({ enabled: boolean('Whether users may delete themselves.') }),
      claims: map(text(), 'Claims of access tokens, each with the key of `metadata` that it takes its value from.'),
    },
    { description: 'How people sign in to an environment.' },
  ),
);

export type AuthSettingsValue = ValueOf<typeof AuthSettings>;

const changed = optional;
const limitPatch = object({
  max: changed(integer('How many.', { minimum: 1, maximum: 100 })),
  windowSeconds: changed(integer('In how many seconds.', { minimum: 60, maximum: 86_400 })),
});

/** What `auth.settings.set` takes: every field may be absent, and objects merge key by key. */
export const settingsPatch = {
  accessTokenSeconds: changed(integer('300 to 3600.', { minimum: 300, maximum: 3_600 })),
  refreshTokenSeconds: changed(integer('3600 to 31536000.', { minimum: 3_600, maximum: 31_536_000 })),
  rateLimits: changed(
    object({
      startPerIdentifier: changed(limitPatch),
      startPerIp: changed(limitPatch),
      completePerIp: changed(limitPatch),
    }),
  ),
  botProtection: changed(object({ enabled: changed(boolean()), signupPerIp: changed(limitPatch) })),
  signup: changed(
    object({
      allow: changed(oneOf(signupRules)),
      allowedDomains: changed(list(text(undefined, { maxLength: 253 }), undefined, { maxItems: 500 })),
      blockedDomains: changed(list(text(undefined, { maxLength: 253 }), undefined, { maxItems: 500 })),
    }),
  ),
  methods: changed(map(enabled, undefined, { maxProperties: 60 })),
  mfa: changed(object({ required: changed(boolean()) })),
  password: changed(
    object({ minLength: changed(integer('8 to 64.', { minimum: 8, maximum: 64 })), checkBreached: changed(boolean()) }),
  ),
  passkeys: changed(object({ rpId: changed(text('A domain.', { maxLength: 253 })) })),
  organizations: changed(
    object({
      enabled: changed(boolean()),
      maxPerUser: changed(integer('1 to 1000.', { minimum: 1, maximum: 1_000 })),
    }),
  ),
  redirectUrls: changed(list(url(), undefined, { maxItems: 100 })),
  impersonation: changed(object({ enabled: changed(boolean()) })),
  selfDelete: changed(object({ enabled: changed(boolean()) })),
  claims: changed(map(text(undefined, { minLength: 1, maxLength: 200 }), undefined, { maxProperties: 50 })),
};

export const SettingsPatchSchema = object(settingsPatch);
export type SettingsPatch = ValueOf<typeof SettingsPatchSchema>;
