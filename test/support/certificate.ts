import { sign, type KeyObject } from 'node:crypto';

/** An element in DER: tag, length, contents (ITU-T X.690 §8.1). */
function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const body = Buffer.concat(contents);
  const digits = body.length.toString(16);
  const length =
    body.length < 128
      ? Buffer.of(body.length)
      : Buffer.concat([
          Buffer.of(0x80 + Math.ceil(digits.length / 2)),
          Buffer.from(digits.padStart(Math.ceil(digits.length / 2) * 2, '0'), 'hex'),
        ]);
  return Buffer.concat([Buffer.of(tag), length, body]);
}

const sequence = (...contents: readonly Buffer[]): Buffer => der(0x30, ...contents);
const identifier = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const time = (text: string): Buffer => der(0x17, Buffer.from(text));
/** sha256WithRSAEncryption. */
const algorithm = sequence(identifier('2a864886f70d01010b'), der(0x05));

/** subjectAltName (RFC 5280 §4.2.1.6) with one IPv4 address. */
const forAddress = (address: string): Buffer =>
  der(
    0xa3,
    sequence(
      sequence(identifier('551d11'), der(0x04, sequence(der(0x87, Buffer.from(address.split('.').map(Number)))))),
    ),
  );

/**
 * A certificate (RFC 5280 §4.1), signed with its own key.
 * @param keys of an RSA key pair
 * @param validity as YYMMDDHHMMSSZ
 * @param address the IPv4 address of the server that uses it
 * @returns PEM
 */
export function selfSigned(
  keys: { publicKey: KeyObject; privateKey: KeyObject },
  validity: readonly [from: string, to: string] = ['200101000000Z', '491231235959Z'],
  address?: string,
): string {
  const name = sequence(der(0x31, sequence(identifier('550403'), der(0x0c, Buffer.from('sns.amazonaws.com')))));
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1)),
    algorithm,
    name,
    sequence(time(validity[0]), time(validity[1])),
    name,
    keys.publicKey.export({ type: 'spki', format: 'der' }),
    ...(address === undefined ? [] : [forAddress(address)]),
  );
  const signature = der(0x03, Buffer.of(0), sign('sha256', signed, keys.privateKey));
  const lines =
    sequence(signed, algorithm, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
