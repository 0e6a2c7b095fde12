import type { SMTPServerSession } from 'smtp-server';
import type { Environment } from '#core/kernel/caller/caller.js';
import { parseAddress } from '#core/kernel/schema/email-address.js';
import type { Services } from '#core/kernel/services.js';
import { senderOf } from '../ingest/request.js';
import { refuse } from '../refuse.js';
import { routeOf } from '../route.js';
import { SmtpReply } from './reply.js';

/** The accepted recipients of one message. */
export interface Accepted {
  /** The environment that the mail is for; null while there are only return paths. */
  environment: Environment | null;
  /** Addresses of that environment. */
  recipients: string[];
  /** The return path of one of our messages, at which a bounce arrives; null if there is none. */
  returnPath: string | null;
}

/** Unknown recipients in one connection: programs that guess addresses are disconnected. */
const mostUnknown = 10;

const anotherCopy = (): SmtpReply => new SmtpReply(452, '4.5.3 Too many recipients: send this one another copy');

interface RecipientCheck {
  /**
   * Accepts a recipient (RFC 5321 3.3): only mail to our own addresses is accepted, so nothing is relayed.
   * @throws SmtpReply 550 for an address that does not exist or does not receive, 452 if another message must carry it,
   * 421 to a client that guesses
   */
  accept(text: string, session: SMTPServerSession): Promise<void>;
  /** The accepted recipients of the message that the session is about to send. */
  accepted(session: SMTPServerSession): Accepted;
}

/** Checks the recipients of SMTP sessions. */
export function recipientCheck(services: Services): RecipientCheck {
  // smtp-server makes a new envelope for each message.
  const messages = new WeakMap<object, Accepted>();
  const unknown = new WeakMap<object, number>();

  const accepted = ({ envelope }: SMTPServerSession): Accepted => {
    const known = messages.get(envelope) ?? { environment: null, recipients: [], returnPath: null };
    messages.set(envelope, known);
    return known;
  };
  const noSuch = (session: SMTPServerSession): SmtpReply => {
    const count = (unknown.get(session) ?? 0) + 1;
    unknown.set(session, count);
    return count >= mostUnknown
      ? new SmtpReply(421, '4.7.0 Too many unknown recipients')
      : new SmtpReply(550, '5.1.1 No such recipient here');
  };

  return {
    accepted,
    async accept(text, session) {
      const parsed = parseAddress(text);
      if (!parsed.ok) throw noSuch(session);
      const { address } = parsed;
      const route = await services.read('Inbound mail', (context) => routeOf(context, address));
      const message = accepted(session);
      if (route.kind === 'return_path') {
        // A bounce is sent to the sender of one message. Reading it for each of a hundred return paths would take
        // seconds of the process.
        if (message.returnPath !== null && message.returnPath !== address) throw anotherCopy();
        message.returnPath = address;
        return;
      }
      if (route.kind === 'refused') {
        if (!route.environment) throw noSuch(session);
        const { mailFrom } = session.envelope;
        const envelopeFrom = mailFrom ? senderOf(mailFrom.address) : '';
        await refuse(services, route.environment, { envelopeFrom, envelopeTo: address, reason: route.reason });
        throw new SmtpReply(550, '5.7.1 This domain does not receive mail');
      }
      if (message.environment && message.environment.id !== route.environment.id) throw anotherCopy();
      message.environment = route.environment;
      if (!message.recipients.includes(address)) message.recipients.push(address);
    },
  };
}
