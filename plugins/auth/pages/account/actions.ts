import { invalidField } from '#core/kernel/errors/invalid-field.js';
import type { PageAnswer, PageCookie } from '#core/kernel/page.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';
import regenerate from '../../operations/factor/recovery/regenerate.js';
import factorRemove from '../../operations/factor/remove.js';
import activate from '../../operations/factor/totp/activate.js';
import identityAdd from '../../operations/identity/add.js';
import setPrimary from '../../operations/identity/primary/set.js';
import identityRemove from '../../operations/identity/remove.js';
import identityVerify from '../../operations/identity/verify.js';
import meDelete from '../../operations/me/delete.js';
import meUpdate from '../../operations/me/update.js';
import oauthStart from '../../operations/oauth/start.js';
import orgLeave from '../../operations/org/leave.js';
import passkeyVerify from '../../operations/passkey/register/verify.js';
import passkeyRemove from '../../operations/passkey/remove.js';
import passwordRemove from '../../operations/password/remove.js';
import passwordSet from '../../operations/password/set.js';
import revokeMine from '../../operations/session/revokeMine.js';
import signout from '../../operations/session/signout.js';
import { redirectWithResult } from '../form-result.js';
import { newFlow } from '../flow.js';
import { sendToProvider } from '../send-to-provider.js';
import { registrationResponse } from '../passkeys/response.js';
import { sixDigits, numberIn } from '../identifier.js';
import { noSession, refreshTokenIn } from '../session.js';
import type { SignedInVisit } from '../signed-in.js';
import type { Outcome } from '../texts/texts.js';
import { toDestination } from './destination.js';
import { enrolmentPath, pendingEnrolment, startEnrolment } from './enrolment.js';
import { startPasskey } from './new-passkey.js';
import { nothingPending, notPending, pendingCookie } from './pending.js';
import type { Screen } from './show-screen.js';

type Action = (signedIn: SignedInVisit) => Promise<PageAnswer>;

const value = ({ page }: SignedInVisit, name: string): string => page.form.get(name) ?? '';

/** Back to the account page, which shows what was done. Reloading it does not repeat the action. */
const done = (on: SignedInVisit, outcome: Outcome, cookies: readonly PageCookie[] = []): PageAnswer =>
  redirectWithResult(on, `${on.visit.root}/account`, { done: outcome }, cookies);

/** To a separate screen. */
const toScreen = ({ visit }: SignedInVisit, screen: Screen, cookies: readonly PageCookie[] = []): PageAnswer =>
  seeOther(`${visit.root}/account?step=${screen}`, cookies);

/** Sends a code to a new address. @param entered shown as it was typed here, so that a typing error is visible */
async function startAddress(
  on: SignedInVisit,
  entered: string,
  identifier: { email: string } | { phone: string },
): Promise<PageAnswer> {
  const { page, visit, accessToken } = on;
  const { challengeId } = await page.call(identityAdd, { accessToken, ...identifier }, visit.options);
  return toScreen(on, 'address', [await pendingCookie(on, 'address', { challengeId, sentTo: entered })]);
}

async function showCodes(on: SignedInVisit, codes: readonly string[]): Promise<PageAnswer> {
  const kept = await pendingCookie(on, 'codes', { codes: codes.join(' ') });
  return toScreen(on, 'recovery', [kept, notPending(on.visit, 'factor')]);
}

/** To where the person wanted to go before the factor was requested, or to the account page. */
const factorSetUp = async (on: SignedInVisit, cookie: PageCookie): Promise<PageAnswer> =>
  (await toDestination(on, [cookie])) ?? done(on, 'factor_activated', [cookie]);

/** What each button of the account page does, by the button's value. */
const actions: Readonly<Record<string, Action>> = {
  async profile(on) {
    const name = value(on, 'name').trim();
    const input = { accessToken: on.accessToken, name: name === '' ? null : name };
    await on.page.call(meUpdate, input, on.visit.options);
    return done(on, 'saved');
  },
  async 'add-address'(on) {
    const email = value(on, 'email');
    return startAddress(on, email, { email });
  },
  async 'add-number'(on) {
    const phone = value(on, 'phone');
    return startAddress(on, phone, { phone: numberIn(phone) });
  },
  async 'verify-address'(on) {
    const input = { challengeId: value(on, 'challengeId'), code: sixDigits(on.page) };
    await on.page.call(identityVerify, { accessToken: on.accessToken, ...input }, on.visit.options);
    return done(on, 'address_added', [notPending(on.visit, 'address')]);
  },
  async 'add-provider'(on) {
    const { page, visit, services, accessToken } = on;
    const redirectTo = `${services.deployment.baseUrl}${visit.root}/account`;
    const input = { provider: page.form.get('provider') ?? '', redirectTo, accessToken };
    const { authorizationUrl, browserToken } = await page.call(oauthStart, input, visit.options);
    return sendToProvider(on, authorizationUrl, { ...newFlow(), browserToken, linking: true });
  },
  async 'remove-address'(on) {
    const input = { accessToken: on.accessToken, identityId: value(on, 'identityId') };
    await on.page.call(identityRemove, input, on.visit.options);
    return done(on, 'address_removed');
  },
  async 'make-primary'(on) {
    const input = { accessToken: on.accessToken, identityId: value(on, 'identityId') };
    await on.page.call(setPrimary, input, on.visit.options);
    return done(on, 'primary_changed');
  },
  async 'set-password'(on) {
    const current = value(on, 'currentPassword');
    const input = {
      accessToken: on.accessToken,
      password: value(on, 'password'),
      keepOtherSessions: on.page.form.has('keepOthers'),
      ...(current === '' ? {} : { currentPassword: current }),
    };
    await on.page.call(passwordSet, input, on.visit.options);
    return done(on, 'password_set');
  },
  async 'remove-password'(on) {
    await on.page.call(passwordRemove, { accessToken: on.accessToken }, on.visit.options);
    return done(on, 'password_removed');
  },
  'add-passkey': startPasskey,
  async 'register-passkey'(on) {
    const name = value(on, 'name').trim();
    const input = {
      accessToken: on.accessToken,
      challengeId: value(on, 'challengeId'),
      response: registrationResponse(value(on, 'response')),
      ...(name === '' ? {} : { name }),
    };
    await on.page.call(passkeyVerify, input, on.visit.options);
    return done(on, 'passkey_added', [notPending(on.visit, 'passkey')]);
  },
  async 'remove-passkey'(on) {
    const input = { accessToken: on.accessToken, passkeyId: value(on, 'passkeyId') };
    await on.page.call(passkeyRemove, input, on.visit.options);
    return done(on, 'passkey_removed');
  },
  async enrol(on) {
    return (await pendingEnrolment(on)) ? seeOther(enrolmentPath(on)) : startEnrolment(on);
  },
  'enrol-again': startEnrolment,
  async activate(on) {
    const endOtherSessions = on.page.form.has('endOthers');
    const input = { factorId: value(on, 'factorId'), code: sixDigits(on.page), endOtherSessions };
    const { recoveryCodes } = await on.page.call(activate, { accessToken: on.accessToken, ...input }, on.visit.options);
    return recoveryCodes ? showCodes(on, recoveryCodes) : factorSetUp(on, notPending(on.visit, 'factor'));
  },
  async 'remove-factor'(on) {
    const input = { accessToken: on.accessToken, factorId: value(on, 'factorId') };
    await on.page.call(factorRemove, input, on.visit.options);
    return done(on, 'factor_removed');
  },
  async regenerate(on) {
    const { recoveryCodes } = await on.page.call(regenerate, { accessToken: on.accessToken }, on.visit.options);
    return showCodes(on, recoveryCodes);
  },
  async 'codes-kept'(on) {
    return factorSetUp(on, notPending(on.visit, 'codes'));
  },
  async 'end-session'(on) {
    const input = { accessToken: on.accessToken, familyId: value(on, 'familyId') };
    await on.page.call(revokeMine, input, on.visit.options);
    return done(on, 'sessions_ended');
  },
  async 'end-others'(on) {
    await on.page.call(revokeMine, { accessToken: on.accessToken, allOthers: true }, on.visit.options);
    return done(on, 'sessions_ended');
  },
  async 'disconnect-app'(on) {
    await on.page.call(revokeMine, { accessToken: on.accessToken, appId: value(on, 'appId') }, on.visit.options);
    return done(on, 'app_disconnected');
  },
  async leave(on) {
    const input = { accessToken: on.accessToken, organizationId: value(on, 'organizationId') };
    await on.page.call(orgLeave, input, on.visit.options);
    return done(on, 'left');
  },
  async delete(on) {
    await on.page.call(meDelete, { accessToken: on.accessToken, confirm: value(on, 'confirm') }, on.visit.options);
    const forgotten = [...noSession(on.visit), ...nothingPending(on.visit)];
    return redirectWithResult(on, `${on.visit.root}/signin?step=deleted`, { done: 'deleted' }, forgotten);
  },
  async signout(on) {
    const refreshToken = refreshTokenIn(on.page, on.visit);
    if (refreshToken) await on.page.call(signout, { refreshToken }, on.visit.options);
    return seeOther(`${on.visit.root}/signin`, [...noSession(on.visit), ...nothingPending(on.visit)]);
  },
};

/** Does what a button of the account page requests. @throws the refusals of the operations */
export async function act(action: string, signedIn: SignedInVisit): Promise<PageAnswer> {
  const known = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (!known) throw invalidField('do', 'is not a button of this page');
  return known(signedIn);
}
