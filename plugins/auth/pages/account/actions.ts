import { refusalOf } from '#core/kernel/errors/common.js';
import type { PageAnswer } from '#core/kernel/page.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';
import regenerate from '../../operations/factor/recovery/regenerate.js';
import factorRemove from '../../operations/factor/remove.js';
import activate from '../../operations/factor/totp/activate.js';
import enroll from '../../operations/factor/totp/enroll.js';
import identityAdd from '../../operations/identity/add.js';
import setPrimary from '../../operations/identity/primary/set.js';
import identityRemove from '../../operations/identity/remove.js';
import identityVerify from '../../operations/identity/verify.js';
import meDelete from '../../operations/me/delete.js';
import meUpdate from '../../operations/me/update.js';
import oauthStart from '../../operations/oauth/start.js';
import orgLeave from '../../operations/org/leave.js';
import passkeyStart from '../../operations/passkey/register/start.js';
import passkeyVerify from '../../operations/passkey/register/verify.js';
import passkeyRemove from '../../operations/passkey/remove.js';
import passwordRemove from '../../operations/password/remove.js';
import passwordSet from '../../operations/password/set.js';
import revokeMine from '../../operations/session/revokeMine.js';
import signout from '../../operations/session/signout.js';
import { sendToProvider } from '../send-to-provider.js';
import { registrationResponse } from '../passkey-response.js';
import { numberIn } from '../identifier.js';
import { noSession, refreshTokenIn } from '../session.js';
import type { SignedInVisit } from '../signed-in.js';
import type { Outcome } from '../texts/texts.js';
import { deletedView, enrolView, newPasskeyView, recoveryCodesView, verifyAddressView } from './steps.js';

type Action = (signedIn: SignedInVisit) => Promise<PageAnswer>;

const value = ({ page }: SignedInVisit, name: string): string => page.form.get(name) ?? '';

/** Back to the account page, which says what was done; reloading it does nothing again. */
const done = ({ visit }: SignedInVisit, outcome: Outcome): PageAnswer =>
  seeOther(`${visit.root}/account?done=${outcome}`);

/** What each button of the account page does, by its value. */
const actions: Readonly<Record<string, Action>> = {
  async profile(on) {
    const name = value(on, 'name').trim();
    const input = { accessToken: on.accessToken, name: name === '' ? null : name };
    await on.page.call(meUpdate, input, on.visit.options);
    return done(on, 'saved');
  },
  async 'add-address'(on) {
    const { accessToken } = on;
    const started = await on.page.call(identityAdd, { accessToken, email: value(on, 'email') }, on.visit.options);
    return verifyAddressView(on.visit, started);
  },
  async 'add-number'(on) {
    const { accessToken } = on;
    const phone = numberIn(value(on, 'phone'));
    const started = await on.page.call(identityAdd, { accessToken, phone }, on.visit.options);
    return verifyAddressView(on.visit, started);
  },
  async 'verify-address'(on) {
    const input = { challengeId: value(on, 'challengeId'), code: value(on, 'code').replace(/\s/g, '') };
    await on.page.call(identityVerify, { accessToken: on.accessToken, ...input }, on.visit.options);
    return done(on, 'address_added');
  },
  async 'add-provider'({ page, visit, services, accessToken }) {
    const redirectTo = `${services.deployment.baseUrl}${visit.root}/account`;
    const input = { provider: page.form.get('provider') ?? '', redirectTo, accessToken };
    const { authorizationUrl, browserToken } = await page.call(oauthStart, input, visit.options);
    return sendToProvider(visit, authorizationUrl, { browserToken, linking: true });
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
  async 'add-passkey'(on) {
    const started = await on.page.call(passkeyStart, { accessToken: on.accessToken }, on.visit.options);
    return newPasskeyView(on.visit, started);
  },
  async 'register-passkey'(on) {
    const name = value(on, 'name').trim();
    const input = {
      accessToken: on.accessToken,
      challengeId: value(on, 'challengeId'),
      response: registrationResponse(value(on, 'response')),
      ...(name === '' ? {} : { name }),
    };
    await on.page.call(passkeyVerify, input, on.visit.options);
    return done(on, 'passkey_added');
  },
  async 'remove-passkey'(on) {
    const input = { accessToken: on.accessToken, passkeyId: value(on, 'passkeyId') };
    await on.page.call(passkeyRemove, input, on.visit.options);
    return done(on, 'passkey_removed');
  },
  async enrol(on) {
    const started = await on.page.call(enroll, { accessToken: on.accessToken }, on.visit.options);
    return enrolView(on.visit, started);
  },
  async activate(on) {
    const input = { factorId: value(on, 'factorId'), code: value(on, 'code').replace(/\s/g, '') };
    const { recoveryCodes } = await on.page.call(activate, { accessToken: on.accessToken, ...input }, on.visit.options);
    return recoveryCodes ? recoveryCodesView(on.visit, recoveryCodes) : done(on, 'factor_activated');
  },
  async 'remove-factor'(on) {
    const input = { accessToken: on.accessToken, factorId: value(on, 'factorId') };
    await on.page.call(factorRemove, input, on.visit.options);
    return done(on, 'factor_removed');
  },
  async regenerate(on) {
    const { recoveryCodes } = await on.page.call(regenerate, { accessToken: on.accessToken }, on.visit.options);
    return recoveryCodesView(on.visit, recoveryCodes);
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
  async leave(on) {
    const input = { accessToken: on.accessToken, organizationId: value(on, 'organizationId') };
    await on.page.call(orgLeave, input, on.visit.options);
    return done(on, 'left');
  },
  async delete(on) {
    await on.page.call(meDelete, { accessToken: on.accessToken, confirm: value(on, 'confirm') }, on.visit.options);
    return { ...deletedView(on.visit), cookies: noSession(on.visit) };
  },
  async signout(on) {
    const refreshToken = refreshTokenIn(on.page, on.visit);
    if (refreshToken) await on.page.call(signout, { refreshToken }, on.visit.options);
    return seeOther(`${on.visit.root}/signin`, noSession(on.visit));
  },
};

/** Does what a button of the account page asks for. @throws what the operations refuse with */
export async function act(action: string, signedIn: SignedInVisit): Promise<PageAnswer> {
  const known = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (!known) throw refusalOf.invalid_input({ field: 'do', problem: 'names no button of this page' });
  return known(signedIn);
}
