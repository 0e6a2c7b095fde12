import { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import SMTPConnection, {
  type SMTPConnectionSendInfo,
  type SMTPEnvelope,
} from 'nodemailer/lib/smtp-connection/index.js';
import SMTPPool, { type SMTPPoolOptions, type SMTPPoolResolvedOptions } from 'nodemailer/lib/smtp-pool/index.js';
import SMTPTransport from 'nodemailer/lib/smtp-transport/index.js';

export interface OutgoingMail {
  readonly envelope: SMTPEnvelope;
  readonly raw: Buffer;
}

/** What became of a message. Where it was not sent, `isUnread` says that no octet of it had left. */
export type HandedOver =
  | { readonly sent: SMTPConnectionSendInfo }
  | { readonly error: Error; readonly isUnread: boolean; readonly isUsable: boolean };

/** A connection to the server. It carries one message at a time. */
export interface MailConnection {
  /** Connects and logs in. @throws nodemailer's error */
  open(): Promise<void>;
  /** Hands a message over. Where the server refused it, `isUsable` says that the connection can carry others. */
  send(mail: OutgoingMail): Promise<HandedOver>;
  /** Says goodbye and closes. */
  quit(): void;
  /** Closes it at once: whatever was asked of it is not answered any more. */
  close(): void;
}

/** How to reach a server. */
export interface SmtpServer {
  readonly options: SMTPPoolResolvedOptions;
  /** Creates a connection, not opened yet. @param onEnd called when it has ended while nothing was asked of it */
  connection(onEnd: () => void): MailConnection;
  /** @throws why the server cannot be used */
  verify(): Promise<void>;
}

/**
 * nodemailer's connection without its pool, which spends twice as much on a message as the connection itself (measured).
 * @param given nodemailer's options; those in the query of its `url` go before them
 */
export function smtpServer(given: SMTPPoolOptions): SmtpServer {
  const { options } = new SMTPPool(given);
  const transport = new SMTPTransport(given);
  const mailer = createTransport(transport);
  const { auth } = transport;

  /** The socket of a proxy that the URL names, as connection options. */
  const proxied = (): Promise<object> =>
    new Promise((resolve, reject) => {
      if (!mailer.getSocket) resolve({});
      else
        mailer.getSocket({ ...options, port: Number(options.port) }, (error, found) =>
          error ? reject(error) : resolve(found || {}),
        );
    });

  return {
    options,
    connection(onEnd) {
      let smtp: SMTPConnection | undefined;
      let isClosed = false;
      /** Rejects what was asked last; errors of an idle connection have nobody to reach. */
      let fail: (error: Error) => void = () => undefined;
      const hasEnded = (): void => {
        isClosed = true;
        fail(new Error('Connection closed'));
        onEnd();
      };
      const ask = <T>(question: (done: (error: Error | null | undefined, answer: T) => void) => void): Promise<T> =>
        new Promise((resolve, reject) => {
          fail = reject;
          question((error, answer) => (error ? reject(error) : resolve(answer)));
        });
      const reset = async (connection: SMTPConnection): Promise<boolean> =>
        ask<boolean | undefined>((done) => connection.reset(done)).then(
          () => !isClosed,
          () => false,
        );
      return {
        async open() {
          const socket = await proxied();
          const connection = new SMTPConnection({ ...options, ...socket });
          smtp = connection;
          connection.on('error', (error: Error) => fail(error));
          connection.once('end', hasEnded);
          if (isClosed) throw new Error('Connection closed');
          await ask<undefined>((done) => connection.connect((error) => done(error, undefined)));
          if (auth && (connection.allowsAuth || options.forceAuth === true))
            await ask<boolean | undefined>((done) => connection.login(auth, done));
        },
        async send({ envelope, raw }) {
          const connection = smtp;
          if (!connection) return { error: new Error('Not connected'), isUnread: true, isUsable: false };
          // Not the buffer itself: a stream says whether it was read.
          const message = new Readable({
            read() {
              this.push(raw);
              this.push(null);
            },
          });
          try {
            return { sent: await ask<SMTPConnectionSendInfo>((done) => connection.send(envelope, message, done)) };
          } catch (error) {
            const isUsable = isRefusal(error) && !isClosed && (await reset(connection));
            return { error: errorOf(error), isUnread: !message.readableDidRead, isUsable };
          }
        },
        quit: () => smtp?.quit(),
        close() {
          isClosed = true;
          smtp?.close();
        },
      };
    },
    async verify() {
      await mailer.verify();
    },
  };
}

export const errorOf = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** The server refused the message, and not the session. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'EENVELOPE' || error.code === 'EMESSAGE') &&
  !('responseCode' in error && error.responseCode === 421);
