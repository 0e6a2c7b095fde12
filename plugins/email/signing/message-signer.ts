import type { Deployment } from '#core/kernel/deployment.js';
import { settings } from '../deployment/settings.js';
import type { SendingDomain } from './sending-domains.js';
import { signInThread } from './sign-pool.js';

/**
 * Creates the function that signs a message.
 * @returns the DKIM-Signature fields to be placed before the message; empty if its domain has no keys. `at` is the time
 * in the signatures: a fixed one makes a repeat identical to the octet
 */
export function messageSigner(
  deployment: Pick<Deployment, 'settingsOf'>,
): (raw: Buffer | string, sending: Pick<SendingDomain, 'signers'>, at: Date) => Promise<string> {
  const { mailDkimUnsigned } = deployment.settingsOf(settings);
  return async (raw, { signers }, at) => {
    if (signers.length === 0) return '';
    const octets = typeof raw === 'string' ? Buffer.from(raw, 'latin1') : raw;
    return signInThread({ raw: octets, signers, at, unsigned: mailDkimUnsigned });
  };
}
