const responseCharacters = 500;

/**
 * Makes a server's answer suitable for storing and showing: one line, at most 500 characters, without the password of
 * `url`.
 * @throws Error if the URL is not an smtp:// or smtps:// URL; the message does not repeat it, because it may contain a
 *   password
 */
export function responsePrinter(url: string): (text: string) => string {
  const secrets = secretsOf(url).toSorted((a, b) => b.length - a.length);
  return (text) =>
    secrets
      .reduce((shown, secret) => shown.replaceAll(secret, '[password]'), text)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .slice(0, responseCharacters)
      .trim();
}

function secretsOf(url: string): string[] {
  if (!URL.canParse(url) || !/^smtps?:\/\/[^/?#]/i.test(url)) {
    throw new Error(
      'The mail server must be given as smtp://user:password@host:port, or smtps:// for TLS from the start.',
    );
  }
  const { username, password } = new URL(url);
  const [user, secret] = [decoded(username), decoded(password)];
  // A server may echo a login as it was sent: RFC 4616 (PLAIN), or one line of AUTH LOGIN.
  const sent =
    secret === '' ? [] : [secret, `\0${user}\0${secret}`].map((text) => Buffer.from(text).toString('base64'));
  return [password, secret, ...sent].filter((text) => text !== '');
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
