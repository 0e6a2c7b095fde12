import { boolean, filledText, list, object, oneOf, optional, url, type ValueOf } from '#core/kernel/schema/schema.js';

/* The apps that users of an environment sign in to by OpenID Connect. */

/** The largest number of apps in an environment. */
export const maxApps = 50;

const appKinds = ['confidential', 'public'] as const;

const words = {
  name: 'The name that users see.',
  kind: 'confidential: the app has a server and a secret; public: it runs in a browser or on a device, without a secret.',
  redirectUrls: 'Where sign-ins return to. They must match exactly.',
  logoutUrls: 'Where a sign-out that the app started may return to. They must match exactly.',
  firstParty: 'Whether it is your own app. Users are asked for consent only if it is not.',
} as const;

const name = filledText(words.name, 80);
const kind = oneOf(appKinds, words.kind);
const firstParty = boolean(words.firstParty);

export const App = object(
  {
    name,
    kind,
    redirectUrls: list(url(), words.redirectUrls),
    logoutUrls: list(url(), words.logoutUrls),
    firstParty,
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
    rotateSecret: optional(boolean('Makes a new secret. The old one works for another 24 hours.')),
  },
  { description: 'An app. Omitted fields keep their values.' },
);

type AppPatch = ValueOf<typeof appPatch>;
export type AppPatches = Readonly<Record<string, AppPatch | null>>;
export type Apps = Readonly<Record<string, AppValue>>;

const newApp: AppValue = { name: '', kind: 'confidential', redirectUrls: [], logoutUrls: [], firstParty: true };

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
    });
  }
  return Object.fromEntries(merged);
}
