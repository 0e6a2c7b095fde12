import { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import SMTPConnection, { type SMTPConnectionSendInfo } from 'nodemailer/lib/smtp-connection/index.js';
import type { MailSource } from './outgoing.js';
import { extensionsOf, pipelinedTransfer, type Transfer } from './pipelined.js';
import { isRefusal } from './replies.js';
import SMTPPool, { type SMTPPoolOptions, type SMTPPoolResolvedOptions } from 'nodemailer/lib/smtp-pool/index.js';
import SMTPTransport from 'nodemailer/lib/smtp-transport/index.js';

/** A connection to the server. It carries one source at a time. */
export interface MailConnection {
  /** Connects and logs in. @throws nodemailer's error */
  open(): Promise<void>;
  /** Submits the messages of a source one after another. @returns whether the connection can carry others */
  submit(source: MailSource): Promise<boolean>;
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
 * @param aheadWithinMs see pipelinedTransfer
 */
export function smtpServer(given: SMTPPoolOptions, aheadWithinMs: number): SmtpServer {
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
      const hasClosed = (): boolean => isClosed;
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
          transfer = pipelinedTransfer(opened, extensions, aheadWithinMs, close);
        },
        async submit(source) {
          if (transfer) return transfer.submit(source);
          const connection = smtp;
          for (let mail = source.next(); mail; mail = source.next()) {
            const transmitted = { any: false };
            // Not the buffer itself: a stream shows whether it was read.
            const message = new Readable({
              read() {
                transmitted.any = true;
                this.push(mail.raw);
                this.push(null);
              },
            });
            const { from, to, size, use8BitMime } = mail.envelope;
            const envelope = { from, to: [...to], size, use8BitMime };
            try {
              if (!connection) throw new Error('Not connected');
              source.settle({
                sent: await ask<SMTPConnectionSendInfo>((done) => connection.send(envelope, message, done)),
              });
            } catch (error) {
              source.settle({ error: errorOf(error), isUntried: !transmitted.any && !isAnswer(error) });
              const isUsable = isRefusal(error) && connection !== undefined && (await reset(connection));
              if (!isUsable || hasClosed()) return false;
            }
          }
          return !hasClosed();
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

/** Whether an error is the server's answer. */
const isAnswer = (error: unknown): boolean => error instanceof Error && 'responseCode' in error;
