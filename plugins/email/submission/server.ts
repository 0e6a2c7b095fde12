import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { parseAddress } from '#core/kernel/schema/email-address.js';
import type { Services } from '#core/kernel/services.js';
import { settings } from '../deployment/settings.js';
import { submissionHost } from '../deployment/submission-address.js';
import { certificateOf } from '../inbound/smtp/certificate.js';
import { clientOf } from '../inbound/smtp/client.js';
import { countConnections, countSessions } from '../inbound/smtp/connections.js';
import { SmtpReply, tryLater } from '../inbound/smtp/reply.js';
import { runServer, serverLimits, watchArriving, type RunningServer } from '../inbound/smtp/run-server.js';
import { loginOf, type Login } from './login.js';
import { mostSubmissionBytes, takeSubmission } from './take-submission.js';

/** The most recipients of one message: four messages of email.send. RFC 5321 4.5.3.1.8 requires 100. */
const mostRecipients = 200;

const isLoopback = (ip: string | null): boolean => ip !== null && (/^127\./.test(ip) || ip === '::1');

/**
 * Starts SMTP submission (RFC 6409): programs authenticate with an API key, and their messages become calls of
 * email.send.
 * @param port 0 for any
 * @param isImplicit whether TLS begins with the first byte (RFC 8314); otherwise STARTTLS is offered
 * @throws the system's error if it cannot listen, or cannot read the certificate
 */
export async function startSubmission(services: Services, port: number, isImplicit: boolean): Promise<RunningServer> {
  const { deployment, log } = services;
  const given = deployment.settingsOf(settings);
  const { submissionPlain, submissionConnections } = given;
  const certificate = certificateOf(given);
  const logins = new WeakMap<SMTPServerSession, Login>();
  const perAddress = countConnections();
  const perKey = countSessions((session) => logins.get(session)?.caller.lineage ?? '');
  const arriving = watchArriving(() => server);

  /** Whether a key may be sent over the connection. */
  const isSafe = (session: SMTPServerSession): boolean =>
    session.secure || submissionPlain === '1' || isLoopback(clientOf(session).ip);
  const loginIn = (session: SMTPServerSession): Login => {
    const login = session.user === undefined || session.user === false ? undefined : logins.get(session);
    if (!login || !isSafe(session)) throw new SmtpReply(530, '5.7.0 Authentication required');
    return login;
  };
  const addresses = ({ envelope }: SMTPServerSession): string[] =>
    envelope.rcptTo.flatMap(({ address }) => {
      const parsed = parseAddress(address);
      return parsed.ok ? [parsed.address] : [];
    });

  const server: SMTPServer = new SMTPServer({
    ...serverLimits,
    name: submissionHost(deployment),
    secure: isImplicit,
    size: mostSubmissionBytes,
    rejectOversized: true,
    maxRecipients: mostRecipients,
    // Accepted, not acted on: svc reports bounces as events.
    hideDSN: false,
    authMethods: ['PLAIN', 'LOGIN'],
    // Per session: AUTH is not offered before STARTTLS, so that no program sends its key unencrypted.
    allowInsecureAuth: true,
    disabledCommands: ['VRFY', 'HELP', ...(certificate && !isImplicit ? [] : ['STARTTLS'])],
    disableReverseLookup: true,
    authRequiredMessage: '5.7.0 Authentication required: give an API key as the password',
    logger: false,
    onConnect(session, done) {
      const isTooMany = perAddress.open(session) > submissionConnections;
      if (!isSafe(session))
        Object.assign(session, { disabledCommands: ['AUTH', 'VRFY', 'HELP', ...(certificate ? [] : ['STARTTLS'])] });
      done(isTooMany ? new SmtpReply(421, '4.7.0 Too many connections from your address') : null);
    },
    onSecure(_socket, session, done) {
      Object.assign(session, { disabledCommands: ['STARTTLS', 'VRFY', 'HELP'] });
      done();
    },
    onClose(session) {
      perAddress.close(session);
      perKey.close(session);
    },
    onAuth(auth, session, done) {
      if (!isSafe(session)) {
        done(new SmtpReply(538, '5.7.11 Encryption required: use STARTTLS'));
        return;
      }
      loginOf(services, auth, session).then(
        (login) => {
          logins.set(session, login);
          perKey.close(session);
          if (perKey.open(session) > submissionConnections) {
            done(new SmtpReply(454, '4.7.0 Too many connections with this key'));
            return;
          }
          done(null, { user: login.user });
        },
        (error: unknown) => done(error instanceof Error ? error : tryLater()),
      );
    },
    onMailFrom(_address, session, done) {
      done(problemOf(() => loginIn(session)));
    },
    onRcptTo({ address }, session, done) {
      done(
        problemOf(() => {
          loginIn(session);
          const parsed = parseAddress(address);
          if (!parsed.ok) throw new SmtpReply(553, `5.1.3 The address ${parsed.problem}`);
        }),
      );
    },
    onData(stream, session, done) {
      const ended = arriving.begin(session, (then) => stream.once('end', then));
      Promise.resolve()
        .then(() =>
          takeSubmission(services, stream, { session, login: loginIn(session), envelope: addresses(session) }),
        )
        .then(
          (text) => done(null, text),
          (error: unknown) => done(error instanceof Error ? error : tryLater()),
        )
        .finally(ended);
    },
  });
  const name = isImplicit ? 'SMTP submission with TLS' : 'SMTP submission';
  const running = await runServer(server, { name, port, certificate, arriving, log });
  log.debug({ port: running.port, tls: isImplicit }, 'accepting mail by SMTP submission');
  return running;
}

/** The error that a check throws; null if it throws none. */
function problemOf(check: () => unknown): Error | null {
  try {
    check();
    return null;
  } catch (error) {
    return error instanceof Error ? error : tryLater();
  }
}
