import { SvcError } from '#core/kernel/errors/errors.js';
import type { NamedLimit } from '#core/kernel/limits/named-limit.js';
import type { Page, PageAnswer, PageRequest } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { asRefusal } from '#core/surfaces/http/refusals.js';
import { privateHeaders } from '#core/surfaces/pages/page.js';
import { defaultPageTheme } from '#core/surfaces/pages/theme.js';
import { textsFor } from '#core/surfaces/pages/texts.js';
import { directory } from '#plugins/account/ports.js';
import getPreferences from '../../operations/preferences/get.js';
import setPreferences from '../../operations/preferences/set.js';
import { oneClick, resolveLink, type ResolvedLink } from '../../preferences/token.js';
import { preferencesTexts } from './translations.js';
import { changesOf, isOneClick, oneClickChanges } from './form.js';
import { errorView, preferencesView, type Appearance } from './view.js';
import { outcomes } from './texts.js';

/**
 * The page where people choose what they receive, and the URL of one-click unsubscribe. GET changes nothing, because
 * mail scanners follow links. Cross-site posts are safe: the credential is the token in the URL, not a cookie.
 */
const preferencesPage: Page = {
  path: '/preferences',
  methods: ['GET', 'POST'],
  acceptsCrossSitePosts: true,
  async answer(page, services) {
    const token = page.query.get('token') ?? '';
    if (page.method === 'POST' && isOneClick(page.form)) return answerOneClick(page, services, token);
    let appearance = appearanceFor(page, null, defaultPageTheme);
    try {
      const link = await resolveLink({ db: services.database, vault: services.vault }, token);
      if (link) appearance = appearanceFor(page, link, await themeOf(link, services));
      return link && page.method === 'POST'
        ? await answerForm(page, { token, link, appearance })
        : await showPreferences(page, { token, link, appearance });
    } catch (error) {
      const { requestId } = page.request;
      return errorView(appearance, asRefusal(error, requestId, services.log), requestId);
    }
  },
};

export default preferencesPage;

interface Visit {
  token: string;
  /** Null for an invalid token, which the operation refuses. */
  link: ResolvedLink | null;
  appearance: Appearance;
}

const appearanceFor = (
  { languages }: PageRequest,
  link: ResolvedLink | null,
  theme: Appearance['theme'],
): Appearance => ({
  ...textsFor(preferencesTexts, [...(link?.contact.locale == null ? [] : [link.contact.locale]), ...languages]),
  theme,
});

const themeOf = ({ environment }: ResolvedLink, services: Services): Promise<Appearance['theme']> =>
  services.read('Preferences page', ({ use }) => use(directory).theme(environment));

async function showPreferences(page: PageRequest, { token, link, appearance }: Visit): Promise<PageAnswer> {
  const { preferences } = await page.call(getPreferences, { token });
  if (!link) throw new Error('Preferences were read with an invalid token.');
  const done = outcomes.find((outcome) => outcome === page.query.get('done')) ?? null;
  return preferencesView(appearance, { link, preferences, done });
}

async function answerForm(
  page: PageRequest,
  { token, link, appearance }: Visit & { link: ResolvedLink },
): Promise<PageAnswer> {
  const submitted = changesOf(page.form, link);
  try {
    // A form without changes is a read, which counts against the limit too.
    if (submitted && Object.keys(submitted.changes).length === 0) await page.call(getPreferences, { token });
    else if (submitted) await page.call(setPreferences, { token, ...submitted.changes });
    if (submitted) return redirectTo(token, submitted.outcome);
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== 'invalid_input') throw error;
  }
  // A topic was archived, or an address removed, since the page was opened.
  const { preferences } = await page.call(getPreferences, { token });
  return preferencesView(appearance, { link, preferences, done: 'stale' });
}

/** Shows the saved state at another URL, so that reloading the page does not submit the form again. */
const redirectTo = (token: string, outcome: string): PageAnswer => ({
  status: 303,
  body: '',
  headers: { ...privateHeaders, Location: `?${new URLSearchParams({ token, done: outcome }).toString()}` },
});

/**
 * Counts one-click requests per contact, not per IP: a mailbox provider sends those of all its users from a few
 * addresses.
 */
const perContact = (contactId: string): NamedLimit => ({
  name: 'audience.one-click',
  max: 60,
  windowSeconds: 600,
  description: '60 one-click requests per person in 10 minutes',
  by: () => `contact:${contactId}`,
});

/**
 * One-click unsubscribing: a mail program posts `List-Unsubscribe=One-Click` to the URL of the header
 * `List-Unsubscribe`, which email/delivery/deliver.ts adds to mail with a topic. The answer is plain text, without a
 * redirect (RFC 8058 §3.1). The path of the request:
 * 1. preferences/token.ts opens the token: the address that the message went to, and its channel and topic. Whoever
 *    has that address now is unsubscribed; if nobody has it, the opt-out is remembered for it. Only svc can make a
 *    token, because it is encrypted and authenticated. It is the only proof: the request has no key, cookie or
 *    session. A person who gets the mail forwarded can therefore unsubscribe the recipient.
 * 2. form.ts determines the change: it revokes the topic, or everything if the message had no topic.
 * 3. operations/preferences/set.ts makes the change in process, with preferences/change.ts and unsubscribe.ts.
 * 4. consents/append.ts writes the consent record. Its source is `one-click unsubscribe` (`via`), and its IP address is
 *    that of the request, usually the mail provider's.
 */
async function answerOneClick(page: PageRequest, services: Services, token: string): Promise<PageAnswer> {
  const answer = { type: 'text/plain; charset=utf-8', headers: privateHeaders };
  try {
    const link = await resolveLink({ db: services.database, vault: services.vault }, token, { via: oneClick });
    const limits = link ? { limits: [perContact(link.contact.id)] } : {};
    await page.call(setPreferences, { token, ...oneClickChanges(link) }, { ...limits, via: oneClick });
    return { ...answer, status: 200, body: 'You are unsubscribed.\n' };
  } catch (error) {
    const refusal = asRefusal(error, page.request.requestId, services.log);
    return { ...answer, status: refusal.status, body: `${refusal.message}\n` };
  }
}
