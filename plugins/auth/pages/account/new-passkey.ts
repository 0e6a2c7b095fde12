import type { PageAnswer } from '#core/kernel/page.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';
import passkeyStart from '../../operations/passkey/register/start.js';
import { relyingParty } from '../../passkeys/relying-party.js';
import { registrationOptions } from '../../passkeys/options.js';
import type { CreationOptionsValue } from '../../passkeys/webauthn-json.js';
import { loadSettings } from '../../settings/load.js';
import { challenges } from '../../tables/challenge.js';
import { labelOfUser } from '../user-label.js';
import type { SignedInVisit } from '../signed-in.js';
import { ownUser } from './load.js';
import { pendingCookie, pendingIn } from './pending.js';

/** The ceremony of a passkey that is being added. */
export interface PasskeyCeremony {
  challengeId: string;
  options: CreationOptionsValue;
}

/**
 * The ceremony in progress in this browser.
 * @returns null if there is none: never started here, completed, or started too long ago
 */
export async function pendingPasskey(on: SignedInVisit): Promise<PasskeyCeremony | null> {
  const challengeId = (await pendingIn(on, 'passkey'))?.get('challengeId');
  if (challengeId === undefined) return null;
  const { visit, services } = on;
  const { environment, theme } = visit;
  const { database, deployment, clock } = services;
  const user = await ownUser(on);
  const row = await database.findOne(challenges, {
    id: challengeId,
    environmentId: environment.id,
    purpose: 'passkey_register',
    userId: user.id,
  });
  if (!row?.webauthnChallenge || row.completedAt || row.expiresAt <= clock.now()) return null;
  const settings = await loadSettings(database, environment.id);
  const options = await registrationOptions(database, {
    challenge: row.webauthnChallenge,
    user,
    label: labelOfUser(user),
    rpId: relyingParty(settings, deployment).id,
    rpName: theme.brandName,
  });
  return { challengeId, options };
}

/** Starts a ceremony. @throws the refusals of auth.passkey.register.start */
export async function startPasskey(on: SignedInVisit): Promise<PageAnswer> {
  const { page, visit, accessToken } = on;
  const { challengeId } = await page.call(passkeyStart, { accessToken }, visit.options);
  return seeOther(`${visit.root}/account?step=passkey`, [await pendingCookie(on, 'passkey', { challengeId })]);
}
