import { SvcError } from '#core/kernel/errors/errors.js';
import type { Page, PageAnswer, PageRequest } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { asRefusal } from '#core/surfaces/http/refusals.js';
import { privateHeaders } from '#core/surfaces/pages/page.js';
import { defaultPageTheme } from '#core/surfaces/pages/theme.js';
import { textsFor } from '#core/surfaces/pages/texts.js';
import { directory } from '#plugins/account/ports.js';
import { holderOf, type Holder } from '../../preferences/resolve-link.js';
import getPreferences from '../../operations/preferences/get.js';
import setPreferences from '../../operations/preferences/set.js';
import { unsubscribe } from './calls.js';
import { preferencesWords } from './catalogue.js';
import { asked, isOneClick } from './form.js';
import { troubleView } from './trouble.js';
import { preferencesView, type Setting } from './view.js';
import { outcomes } from './words.js';

/**
 * Where people decide what they get, and what one-click unsubscribe posts to. GET changes nothing, whoever follows the link: mail
 * scanners do. There is nothing to forge across sites (CSRF): no cookie says who somebody is, the token in the address alone does, and
 * who can send it may use it.
 */
const preferencesPage: Page = {
  path: '/preferences',
  methods: ['GET', 'POST'],
  acceptsCrossSitePosts: true,
  async answer(page, services) {
    const token = page.query.get('token') ?? '';
    if (page.method === 'POST' && isOneClick(page.form)) return oneClickAnswer(page, services, token);
    let setting = settingFor(page, null, defaultPageTheme);
    try {
      const holder = await holderOf({ db: services.database, vault: services.vault }, token);
      if (holder) setting = settingFor(page, holder, await themeOf(holder, services));
      return holder && page.method === 'POST'
        ? await changed(page, { token, holder, setting })
        : await looked(page, { token, holder, setting });
    } catch (error) {
      const { requestId } = page.request;
      return troubleView(setting, asRefusal(error, requestId, services.log), requestId);
    }
  },
};

export default preferencesPage;

interface Visit {
  token: string;
  /** Null where the token opens nothing: the operation says so. */
  holder: Holder | null;
  setting: Setting;
}

const settingFor = ({ languages }: PageRequest, holder: Holder | null, theme: Setting['theme']): Setting => ({
  ...textsFor(preferencesWords, [...(holder?.contact.locale == null ? [] : [holder.contact.locale]), ...languages]),
  theme,
});

const themeOf = ({ environment }: Holder, services: Services): Promise<Setting['theme']> =>
  services.transaction('Preferences page', ({ use }) => use(directory).theme(environment));

async function looked(page: PageRequest, { token, holder, setting }: Visit): Promise<PageAnswer> {
  const { preferences } = await page.call(getPreferences, { token });
  if (!holder) throw new Error('Preferences were read with a token that opens nothing.');
  const done = outcomes.find((outcome) => outcome === page.query.get('done')) ?? null;
  return preferencesView(setting, { holder, preferences, done });
}

async function changed(page: PageRequest, { token, holder, setting }: Visit & { holder: Holder }): Promise<PageAnswer> {
  const wanted = asked(page.form, holder);
  try {
    // A form that changes nothing is counted as well, as a look.
    if (wanted && Object.keys(wanted.changes).length === 0) await page.call(getPreferences, { token });
    else if (wanted) await page.call(setPreferences, { token, ...wanted.changes });
    if (wanted) return seeOther(token, wanted.outcome);
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== 'invalid_input') throw error;
  }
  // A topic was archived, or an address taken away, since the page was opened.
  const { preferences } = await page.call(getPreferences, { token });
  return preferencesView(setting, { holder, preferences, done: 'stale' });
}

/** The saved state at an address of its own, so that reloading it submits nothing again. */
const seeOther = (token: string, outcome: string): PageAnswer => ({
  status: 303,
  body: '',
  headers: { ...privateHeaders, Location: `?${new URLSearchParams({ token, done: outcome }).toString()}` },
});

/** For a mail program: no redirect (RFC 8058 §3.1), and nothing to read but the outcome. */
async function oneClickAnswer(page: PageRequest, services: Services, token: string): Promise<PageAnswer> {
  const answer = { type: 'text/plain; charset=utf-8', headers: privateHeaders };
  try {
    await unsubscribe(services, page, token);
    return { ...answer, status: 200, body: 'You are unsubscribed.\n' };
  } catch (error) {
    const refusal = asRefusal(error, page.request.requestId, services.log);
    return { ...answer, status: refusal.status, body: `${refusal.message}\n` };
  }
}
