import { fileURLToPath } from 'node:url';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { parseJson } from '#core/runtime/json.js';
import { at } from '#test/support/json.js';
import type { TestPlatform } from '#test/support/platform.js';

export const pem = (name: string): string => fileURLToPath(new URL(`../../runtime/tls/${name}.pem`, import.meta.url));

/** The settings of both ports, with a certificate. */
export const submissionSettings = {
  SVC_SUBMISSION_PORT: '0',
  SVC_SUBMISSIONS_PORT: '0',
  SVC_INBOUND_TLS_CERT: pem('server'),
  SVC_INBOUND_TLS_KEY: pem('server-key'),
};

/** The port of SMTP submission, which says it in the log. */
export function submissionPort({ logLines }: Pick<TestPlatform, 'logLines'>, isImplicit = false): number {
  const started = logLines
    .map(parseJson)
    .findLast((line) => at(line, 'msg') === 'accepting mail by SMTP submission' && at(line, 'tls') === isImplicit);
  const port = at(started, 'port');
  if (typeof port !== 'number') throw new Error('SMTP submission is not running.');
  return port;
}

/** What a program hears. */
export interface Submitted {
  readonly code: number;
  /** Without the code. */
  readonly text: string;
  /** The ids in the reply. */
  readonly messageIds: string[];
}

export interface Program {
  readonly port: number;
  readonly key: string;
  readonly user?: string;
  readonly host?: string;
  readonly isImplicit?: boolean;
}

/** Submits a message as a program with nodemailer does: with STARTTLS, if it is offered. */
export async function submit(
  { port, key, user = 'shop', host = '127.0.0.1', isImplicit = false }: Program,
  mail: SendMailOptions,
): Promise<Submitted> {
  const transport = createTransport({
    host,
    port,
    secure: isImplicit,
    name: 'app.example.com',
    auth: { user, pass: key },
    tls: { rejectUnauthorized: false },
  });
  try {
    const { response } = await transport.sendMail(mail);
    return replyOf(response);
  } catch (error) {
    const response = at(error, 'response');
    if (typeof response !== 'string') throw error;
    return replyOf(response);
  } finally {
    transport.close();
  }
}

const replyOf = (response: string): Submitted => ({
  code: Number(response.slice(0, 3)),
  text: response.slice(4),
  messageIds: response.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [],
});
