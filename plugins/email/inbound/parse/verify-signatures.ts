import { dkimVerify } from 'mailauth';
import type { KeyRecords, VerifiedSignatures } from './parsed.js';

/** Checks the DKIM signatures of a message with keys that were looked up before. */
export async function verifySignatures(raw: Uint8Array, keys: KeyRecords): Promise<VerifiedSignatures> {
  const { results } = await dkimVerify(Buffer.from(raw), {
    async resolver(name) {
      const found = keys[name] ?? { code: 'ENOTFOUND' };
      if ('code' in found) throw Object.assign(new Error(`No answer for ${name}.`), { code: found.code });
      return found.strings;
    },
  });
  const signatures = results.filter(({ status }) => status.result !== 'none');
  return {
    decided: signatures.some(({ status }) => status.result !== 'temperror'),
    valid: signatures
      .filter(({ status }) => status.result === 'pass')
      .map(({ signingDomain, status }) => ({
        domain: signingDomain,
        aligned: Boolean(status.aligned),
        underSized: Boolean(status.underSized),
      })),
    unread: signatures.filter(({ status }) => status.result === 'temperror').map(({ signingDomain }) => signingDomain),
  };
}
