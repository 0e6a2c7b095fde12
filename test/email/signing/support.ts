import { generateKeyPairSync } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import type { TestDns } from '#test/support/dns.js';

/** A private key as SVC_MAIL_DKIM_KEY takes it. */
export const newDkimKey = (): string =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** What mailauth says of each signature of a message, as `pass example.com svc1`. */
export async function signaturesOf(raw: Buffer, dns: Pick<TestDns, 'server'>): Promise<string[]> {
  const resolver = new Resolver();
  resolver.setServers([dns.server]);
  const { results } = await dkimVerify(raw, { resolver: (name) => resolver.resolveTxt(name) });
  return results
    .filter(({ status }) => status.result !== 'none')
    .map(({ status, signingDomain, selector }) => `${status.result} ${signingDomain} ${selector}`);
}

/** The tags of a message's DKIM-Signature fields. */
export const tagsOf = (raw: Buffer): Map<string, string>[] =>
  (raw.toString('latin1').match(/^DKIM-Signature:.*(?:\r\n[ \t].*)*/gim) ?? []).map(
    (field) =>
      new Map(
        field
          .slice(field.indexOf(':') + 1)
          .replaceAll(/\s/g, '')
          .split(';')
          .map((tag) => [tag.slice(0, tag.indexOf('=')), tag.slice(tag.indexOf('=') + 1)]),
      ),
  );
