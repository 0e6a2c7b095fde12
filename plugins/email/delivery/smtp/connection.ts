import { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import SMTPConnection, { type SMTPConnectionSendInfo } from 'nodemailer/lib/smtp-connection/index.js';
import type { OutgoingMail, Sent } from './outgoing.js';
import { extensionsOf, pipelinedTransfer, type Transfer } from './pipelined.js';
import SMTPPool, { type SMTPPoolOptions, type SMTPPoolResolvedOptions } from 'nodemailer/lib/smtp-pool/index.js';
import SMTPTransport from 'nodemailer/lib/smtp-transport/index.js';

/** The outcome of a message. If it was not sent, `isUnread` states that no octet of it was transmitted. */
export type HandedOver =
  { readonly sent: Sent } | { readonly error: Error; readonly isUnread: boolean; readonly isUsable: boolean };

/** A connection to the server. It carries one message at a time. */
export interface MailConnection {
  /** Connects and logs in. @throws nodemailer's error */
  open(): Promise<void>;
  /** Submits a message. If the server refused it, `isUsable` states that the connection can carry others. */
  send(mail: OutgoingMail): Promise<HandedOver>;
  /** Sends QUIT and closes. */
  quit(): void;
  /** Closes it immediately: pending commands are no longer answered. */
  close(): void;
}

/** How to reach a server. */
export interface SmtpServer {
  readonly options: SMTPPoolResolvedOptions;
  /**
   * Creates a connection, not opened yet.
   * @param onEnd called if it ends while it is idle
   */
  connection(onEnd: () => void): MailConnection;
  /** @throws why the server cannot be used */
  verify(): Promise<void>;
}

/**
 * nodemailer's connection without its pool, which spends twice as much time on a message as the connection itself
 * (measured).
 * @param given nodemailer's options; the options in the query of its `url` take precedence
 */
export function smtpServer(given: SMTPPoolOptions): SmtpServer {
  const { options } = new SMTPPool(given);
  const transport = new SMTPTransport(given);
  const mailer = createTransport(transport);
  const { auth } = transport;
  // Options that require nodemailer's own transfer.
  const isTraced =
    options.lmtp === true || options.debug === true || Boolean(options.logger) || options.transactionLog === true;

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
      /** Absent for servers that accept one command at a time. */
      let transfer: Transfer | undefined;
      let isClosed = false;
      /** Rejects the last request; errors of an idle connection have no receiver. */
      let fail: (error: Error) => void = () => undefined;
      const failAll = (error: Error): void => {
        fail(error);
        transfer?.fail(error);
      };
      const close = (): void => {
        isClosed = true;
        smtp?.close();
      };
      const hasEnded = (): void => {
        isClosed = true;
        failAll(new Error('Connection closed'));
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
          connection.on('error', failAll);
          connection.once('end', hasEnded);
          if (isClosed) throw new Error('Connection closed');
          await ask<undefined>((done) => connection.connect((error) => done(error, undefined)));
          const extensions = extensionsOf(connection.lastServerResponse || '');
          if (auth && (connection.allowsAuth || options.forceAuth === true))
            await ask<boolean | undefined>((done) => connection.login(auth, done));
          const { _socket: opened } = connection;
          if (!extensions.pipelining || isTraced || !opened) return;
          opened.removeAllListeners('data');
          transfer = pipelinedTransfer(opened, extensions, close);
        },
        async send(mail) {
          const connection = smtp;
          if (!connection) return { error: new Error('Not connected'), isUnread: true, isUsable: false };
          let isUnread = true;
          try {
            if (transfer)
              return {
                sent: await transfer.send(mail, () => {
                  isUnread = false;
                }),
              };
            // Not the buffer itself: a stream shows whether it was read.
            const message = new Readable({
              read() {
                isUnread = false;
                this.push(mail.raw);
                this.push(null);
              },
            });
            const { from, to, size, use8BitMime } = mail.envelope;
            const envelope = { from, to: [...to], size, use8BitMime };
            return { sent: await ask<SMTPConnectionSendInfo>((done) => connection.send(envelope, message, done)) };
          } catch (error) {
            const isUsable = isRefusal(error) && !isClosed && (await (transfer?.reset() ?? reset(connection)));
            return { error: errorOf(error), isUnread, isUsable: isUsable && !isClosed };
          }
        },
        quit: () => smtp?.quit(),
        close,
      };
    },
    async verify() {
      await mailer.verify();
    },
  };
}

export const errorOf = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** The server refused the message, not the session. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'EENVELOPE' || error.code === 'EMESSAGE') &&
  !('responseCode' in error && error.responseCode === 421);
