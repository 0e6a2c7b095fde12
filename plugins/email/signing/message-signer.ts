import type { Deployment } from '#core/kernel/deployment.js';
import { settings } from '../deployment/settings.js';
import type { SendingDomain } from './sending-domains.js';
import { signInThread } from './sign-pool.js';

/**
 * Creates the function that signs a message.
 * @returns the message with its DKIM-Signature fields before it; unchanged if its domain has no keys. `at` is the time
 * in the signatures: a fixed one makes a repeat identical to the octet
 */
export function messageSigner(
  deployment: Pick<Deployment, 'settingsOf'>,
): (raw: Buffer, sending: Pick<SendingDomain, 'signers'>, at: Date) => Promise<Buffer> {
  const { mailDkimUnsigned } = deployment.settingsOf(settings);
  return async (raw, { signers }, at) => {
    if (signers.length === 0) return raw;
    const fields = await signInThread({ raw, signers, at, unsigned: mailDkimUnsigned });
    return Buffer.concat([Buffer.from(fields, 'latin1'), raw]);
  };
}
