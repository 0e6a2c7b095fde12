/* Names of types, fields and methods in Go. */

/** Words that Go programs write in capitals (https://go.dev/wiki/CodeReviewComments#initialisms). */
const initialisms: ReadonlyMap<string, string> = new Map([
  ...(
    'AAGUID API CSS CSV DKIM DMARC DNS HTML HTTP HTTPS ID IP JSON JWK JWKS MFA MMS MX OK PDF QR RP SMS SMTP SPF SVG ' +
    'TLS TOTP TXT UCS URI URL UUID'
  )
    .split(' ')
    .map((word) => [word.toLowerCase(), word] as const),
  ['ids', 'IDs'],
  ['ips', 'IPs'],
  ['oauth', 'OAuth'],
  ['uris', 'URIs'],
  ['urls', 'URLs'],
]);

/**
 * A name of the interface as an exported name of Go: `replyTo` is ReplyTo, `messageId` MessageID, `sms.send` SMSSend.
 * Names that begin with a digit get an N before it.
 */
export const goName = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => initialisms.get(word.toLowerCase()) ?? word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
    .replace(/^(?=[0-9])/, 'N');
