import type { SMTPServerSession } from 'smtp-server';
import type { MailClient } from '../authenticate.js';

/** The other side of a connection. An IPv4 address is written as such, even if the socket is an IPv6 one. */
export const clientOf = ({ remoteAddress, hostNameAppearsAs }: SMTPServerSession): MailClient => ({
  ip: remoteAddress.replace(/^::ffff:(?=\d+\.)/i, ''),
  helo: typeof hostNameAppearsAs === 'string' && hostNameAppearsAs !== '' ? hostNameAppearsAs : null,
});
