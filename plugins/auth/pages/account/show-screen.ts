import type { PageAnswer } from '#core/kernel/page.js';
import meGet from '../../operations/me/get.js';
import { redirectWithResult } from '../form-result.js';
import type { SignedInVisit } from '../signed-in.js';
import { pendingEnrolment } from './enrolment.js';
import { pendingPasskey } from './new-passkey.js';
import { pendingIn } from './pending.js';
import { recoveryCodesFile, recoveryCodesView } from './recovery-codes.js';
import { enrolView, newPasskeyView, recoveryShownView, verifyAddressView } from './screens.js';

/** The screens between two visits of the account page, by their names in the address. */
export const screens = ['address', 'passkey', 'authenticator', 'recovery'] as const;
export type Screen = (typeof screens)[number];

/** Shows a screen, no matter how often it is loaded. @throws the refusals of the operations */
export const showScreen = (on: SignedInVisit, screen: Screen): Promise<PageAnswer> => views[screen](on);

const views: Readonly<Record<Screen, (on: SignedInVisit) => Promise<PageAnswer>>> = {
  async address(on) {
    const pending = await pendingIn(on, 'address');
    const [challengeId, sentTo] = [pending?.get('challengeId'), pending?.get('sentTo')];
    if (challengeId === undefined || sentTo === undefined) return ended(on);
    return verifyAddressView(on.visit, { challengeId, sentTo }, on.result.problem);
  },
  async passkey(on) {
    const passkey = await pendingPasskey(on);
    return passkey ? newPasskeyView(on.visit, passkey) : ended(on);
  },
  async authenticator(on) {
    const enrolment = await pendingEnrolment(on);
    if (!enrolment) return ended(on);
    return enrolView(on.visit, enrolment, { problem: on.result.problem });
  },
  async recovery(on) {
    const { page, visit, accessToken } = on;
    const codes = (await pendingIn(on, 'codes'))?.get('codes')?.split(' ');
    const { user, factors } = await page.call(meGet, { accessToken }, visit.options);
    if (codes && page.query.has('download')) return recoveryCodesFile(visit, user, codes);
    if (codes) return recoveryCodesView(visit, codes);
    return factors.some(({ status }) => status === 'active') ? recoveryShownView(visit) : ended(on);
  },
};

/** This screen is not in progress here: the account page says so, or shows the result of the screen's form. */
function ended(on: SignedInVisit): PageAnswer {
  const { visit, result } = on;
  const expired = { status: 410, code: 'challenge_expired', text: visit.texts.errors.challenge_expired };
  return redirectWithResult(on, `${visit.root}/account`, { problem: result.problem ?? expired });
}
