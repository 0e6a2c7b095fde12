import {
  boolean,
  filledText,
  integer,
  list,
  nullable,
  object,
  oneOf,
  optional,
  url,
  uuid,
  type ValueOf,
} from '#core/kernel/schema/schema.js';
import { orgRoles } from '../tables/org-member.js';

/* The apps that users of an environment sign in to by OpenID Connect. */

/** The largest number of apps in an environment. */
export const maxApps = 50;

const appKinds = ['confidential', 'public'] as const;

/** The scopes that an app can have beside `openid`. */
export const appScopes = ['profile', 'email', 'phone', 'groups', 'offline_access'] as const;

const words = {
  name: 'The name that users see.',
  kind: 'confidential: the app has a server and a secret; public: it runs in a browser or on a device, without a secret.',
  redirectUrls: 'Where sign-ins return to. They must match exactly.',
  logoutUrls: 'Where a sign-out that the app started may return to. They must match exactly.',
  firstParty: 'Whether it is your own app. Users are asked for consent only if it is not.',
  organizations: 'Only members of these organizations may sign in to it; everyone if the list is empty.',
  minimumRole: 'The lowest role in one of `organizations` with which a member may sign in to it.',
  scopes: 'The scopes that it may ask for beside `openid`. If it asks for others, it gets `invalid_scope`.',
  accessTokenSeconds: 'How long its access tokens are valid; null for the `accessTokenSeconds` of the environment.',
} as const;

const name = filledText(words.name, 80);
const kind = oneOf(appKinds, words.kind);
const firstParty = boolean(words.firstParty);
const minimumRole = oneOf(orgRoles, words.minimumRole);
const accessTokenSeconds = nullable(integer(words.accessTokenSeconds, { minimum: 300, maximum: 3_600 }));

export const App = object(
  {
    name,
    kind,
    redirectUrls: list(url(), words.redirectUrls),
    logoutUrls: list(url(), words.logoutUrls),
    firstParty,
    organizations: list(uuid(), words.organizations),
    minimumRole,
    scopes: list(oneOf(appScopes), words.scopes),
    accessTokenSeconds,
  },
  { description: 'An app that users sign in to by OpenID Connect.' },
);

export type AppValue = ValueOf<typeof App>;

export const appPatch = object(
  {
    name: optional(name),
    kind: optional(kind),
    redirectUrls: optional(list(url(), words.redirectUrls, { minItems: 1, maxItems: 20, uniqueItems: true })),
    logoutUrls: optional(list(url(), words.logoutUrls, { maxItems: 20, uniqueItems: true })),
    firstParty: optional(firstParty),
    organizations: optional(list(uuid(), words.organizations, { maxItems: 20, uniqueItems: true })),
    minimumRole: optional(minimumRole),
    scopes: optional(list(oneOf(appScopes), words.scopes, { maxItems: appScopes.length, uniqueItems: true })),
    accessTokenSeconds: optional(accessTokenSeconds),
    rotateSecret: optional(boolean('Makes a new secret. The old one works for another 24 hours.')),
  },
  { description: 'An app. Omitted fields keep their values.' },
);

type AppPatch = ValueOf<typeof appPatch>;
export type AppPatches = Readonly<Record<string, AppPatch | null>>;
export type Apps = Readonly<Record<string, AppValue>>;

const newApp: AppValue = {
  name: '',
  kind: 'confidential',
  redirectUrls: [],
  logoutUrls: [],
  firstParty: true,
  organizations: [],
  minimumRole: 'member',
  scopes: [...appScopes],
  accessTokenSeconds: null,
};

/** Apps with a patch applied: null removes one, and the fields of the others merge. */
export function mergeApps(apps: Apps, patch: AppPatches = {}): Record<string, AppValue> {
  const merged = new Map(Object.entries(apps));
  for (const [id, changed] of Object.entries(patch)) {
    if (changed === null) {
      merged.delete(id);
      continue;
    }
    const before = merged.get(id) ?? newApp;
    merged.set(id, {
      name: changed.name ?? before.name,
      kind: changed.kind ?? before.kind,
      redirectUrls: changed.redirectUrls ?? before.redirectUrls,
      logoutUrls: changed.logoutUrls ?? before.logoutUrls,
      firstParty: changed.firstParty ?? before.firstParty,
      organizations: changed.organizations ?? before.organizations,
      minimumRole: changed.minimumRole ?? before.minimumRole,
      scopes: changed.scopes ?? before.scopes,
      accessTokenSeconds:
        changed.accessTokenSeconds === undefined ? before.accessTokenSeconds : changed.accessTokenSeconds,
    });
  }
  return Object.fromEntries(merged);
}
