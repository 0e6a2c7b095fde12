import { messageIdHeader } from '../../templates/header.js';

/**
 * Whether the headers indicate that a program sent the message: an out-of-office reply, a report, a mailing list, or
 * our own mail that was returned. RFC 3834 2: programs do not answer such mail. Precedence is not a standard, but older
 * than the standard and in wide use.
 * @param headers by lower-case name
 */
export function isAutomatic(headers: Readonly<Record<string, string>>): boolean {
  const valueOf = (name: string): string => (headers[name] ?? '').trim().toLowerCase();
  const has = (name: string): boolean => headers[name] !== undefined;
  return (
    (has('auto-submitted') && !/^no\b/.test(valueOf('auto-submitted'))) ||
    /^(bulk|list|junk|auto[_-]reply)\b/.test(valueOf('precedence')) ||
    ['x-autoreply', 'x-autorespond', 'x-auto-reply', 'list-id', 'list-unsubscribe'].some(has) ||
    has(messageIdHeader.toLowerCase()) ||
    /^multipart\/report\b/.test(valueOf('content-type')) ||
    /\bmailer-daemon@/.test(valueOf('from')) ||
    valueOf('return-path') === '<>'
  );
}
