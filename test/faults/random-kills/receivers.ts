import { createHash, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { at } from '#test/support/json.js';
import { parseJson } from '#core/runtime/json.js';
import { headerOf } from '#test/email/support.js';
import { selfSigned } from '#test/support/certificate.js';
import { startSmtpReceiver, type SmtpReceiver } from '#test/support/smtp-receiver.js';
import type { Journal } from './journal.js';

const digestOf = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex').slice(0, 16);

/** A key and a certificate for 127.0.0.1, as PEM. Endpoints of live environments need https. */
export function newCertificate(): { key: string; certificate: string } {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: selfSigned(keys, undefined, '127.0.0.1'),
  };
}

/** The mail server: it accepts everything, and remembers the codes that were mailed. */
export interface MailSink {
  readonly url: string;
  /** The last sign-in code that an address received. */
  codeOf(address: string): string | undefined;
  close(): Promise<void>;
}

export async function startMailSink(journal: Journal): Promise<MailSink> {
  const codes = new Map<string, string>();
  const begun = new Map<string, number>();
  const receiver: SmtpReceiver = await startSmtpReceiver({
    onRecipient: (address) => {
      begun.set(address, Date.now());
      return null;
    },
    onMessage: (mail) => {
      const [to = ''] = mail.recipients;
      const id = headerOf(mail, 'X-Svc-Message-Id') ?? '';
      journal.mail({
        id,
        to,
        begunAt: begun.get(to) ?? 0,
        at: Date.now(),
        digest: digestOf(mail.parsed.messageId ?? ''),
      });
      begun.delete(to);
      const code = /\b\d{6}\b/.exec(mail.parsed.text ?? '')?.[0];
      if (to.startsWith('signin-') && code !== undefined) codes.set(to, code);
      // The journal has what the checks need; thousands of mails would fill the memory.
      receiver.received.length = 0;
      return null;
    },
  });
  return { url: receiver.url, codeOf: (address) => codes.get(address), close: () => receiver.close() };
}

/** The webhook receiver: every path is an endpoint that accepts what it gets. */
export interface WebhookSink {
  readonly port: number;
  close(): Promise<void>;
}

/** @param port the port of an earlier part of the run; 0 for a free one */
export async function startWebhookSink(
  journal: Journal,
  { key, certificate }: { key: string; certificate: string },
  port: number,
): Promise<WebhookSink> {
  const server: Server = createServer({ key, cert: certificate }, (request, response) => {
    const begunAt = Date.now();
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    buffer(request).then(
      (body) => {
        const id = String(at(parseJson(body.toString('utf8')), 'id'));
        journal.webhook({ id, to: request.url ?? '', begunAt, at: Date.now(), digest: digestOf(body) });
        response.writeHead(204).end();
      },
      () => response.destroy(),
    );
  });
  server.on('tlsClientError', () => undefined);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The receiver has no port.');
  return {
    port: bound.port,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
