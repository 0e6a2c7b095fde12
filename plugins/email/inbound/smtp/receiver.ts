import { SMTPServer } from 'smtp-server';
import type { Services } from '#core/kernel/services.js';
import { settings } from '../../deployment/settings.js';
import { mostMessageBytes } from '../ingest/request.js';
import { certificateOf } from './certificate.js';
import { countConnections } from './connections.js';
import { recipientCheck } from './recipients.js';
import { SmtpReply, tryLater } from './reply.js';
import { runServer, serverLimits, watchArriving, type RunningServer } from './run-server.js';
import { takeMessage } from './take-message.js';

/**
 * Starts the SMTP receiver (RFC 5321).
 * @param port 0 for any
 * @throws the system's error if it cannot listen, or cannot read the certificate
 */
export async function startReceiver(services: Services, port: number): Promise<RunningServer> {
  const { deployment, log } = services;
  const given = deployment.settingsOf(settings);
  const { mailInboundHost, inboundConnectionsPerIp } = given;
  const certificate = certificateOf(given);
  const recipients = recipientCheck(services);
  const connections = countConnections();
  const arriving = watchArriving(() => server);

  const server = new SMTPServer({
    ...serverLimits,
    name: mailInboundHost ?? new URL(deployment.baseUrl).hostname,
    size: mostMessageBytes,
    rejectOversized: true,
    maxRecipients: 100,
    disabledCommands: certificate ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    // Addresses outside ASCII are refused: see parseAddress.
    hideSMTPUTF8: true,
    logger: false,
    onConnect(session, done) {
      const isTooMany = connections.open(session) > inboundConnectionsPerIp;
      done(isTooMany ? new SmtpReply(421, '4.7.0 Too many connections from your address') : null);
    },
    onClose(session) {
      connections.close(session);
    },
    onRcptTo({ address }, session, done) {
      recipients.accept(address, session).then(
        () => done(),
        (error: unknown) => {
          if (!(error instanceof SmtpReply))
            log.error({ err: error }, 'a recipient of received mail could not be looked up');
          done(error instanceof SmtpReply ? error : tryLater());
        },
      );
    },
    onData(stream, session, done) {
      const ended = arriving.begin(session, (then) => stream.once('end', then));
      takeMessage(services, stream, session, recipients.accepted(session))
        .then(
          (text) => done(null, text),
          (error: unknown) => done(error instanceof Error ? error : tryLater()),
        )
        .finally(ended);
    },
  });
  const running = await runServer(server, { name: 'the SMTP receiver', port, certificate, arriving, log });
  log.debug({ port: running.port }, 'receiving mail by SMTP');
  return running;
}
