import type { PageAnswer } from '#core/kernel/page.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';
import { directory } from '#plugins/account/ports.js';
import { qrSvg } from '../../factors/qr-code.js';
import { openSecret } from '../../factors/store.js';
import { otpauthUrl, totpSecretText } from '../../factors/totp.js';
import enroll from '../../operations/factor/totp/enroll.js';
import { factors } from '../../tables/factor.js';
import { labelOfUser } from '../user-label.js';
import type { SignedInVisit } from '../signed-in.js';
import { ownUser } from './load.js';
import { pendingCookie, pendingIn } from './pending.js';

/** An authenticator app that is being set up. */
export interface Enrolment {
  factorId: string;
  /** In base32. */
  secret: string;
  qrSvg: string;
}

/**
 * The app that is being set up in this browser, with its secret, which may already have been scanned.
 * @returns null if there is none: never started here, confirmed, replaced on another device, or started too long ago
 */
export async function pendingEnrolment(on: SignedInVisit): Promise<Enrolment | null> {
  const id = (await pendingIn(on, 'factor'))?.get('factorId');
  if (id === undefined) return null;
  const { visit, services } = on;
  const user = await ownUser(on);
  const row = await services.database.findOne(factors, { id, userId: user.id, status: 'pending' });
  if (!row) return null;
  const secret = openSecret(services.vault, row);
  const issuer = await services.read('Account page', ({ use }) => use(directory).nameForUsers(visit.environment));
  return {
    factorId: id,
    secret: totpSecretText(secret),
    qrSvg: await qrSvg(otpauthUrl(secret, issuer, labelOfUser(user))),
  };
}

/** Starts to set up an app with a new secret. @throws the refusals of auth.factor.totp.enroll */
export async function startEnrolment(on: SignedInVisit): Promise<PageAnswer> {
  const { page, visit, accessToken } = on;
  const { factorId } = await page.call(enroll, { accessToken }, visit.options);
  return seeOther(enrolmentPath(on), [await pendingCookie(on, 'factor', { factorId })]);
}

/** The page where the app is set up. */
export const enrolmentPath = ({ visit }: SignedInVisit): string => `${visit.root}/account?step=authenticator`;
