import type { ReadSession } from '#core/runtime/database/read-session.js';
import { passkeys } from '../tables/passkey.js';
import { creationOptions, type NewPasskey } from './options.js';
import type { CreationOptionsValue } from './webauthn-json.js';

/** The options of a ceremony that adds a passkey to those the user already has. */
export async function registrationOptions(
  db: ReadSession,
  passkey: Omit<NewPasskey, 'existing'>,
): Promise<CreationOptionsValue> {
  return creationOptions({ ...passkey, existing: await db.find(passkeys, { userId: passkey.user.id }) });
}
