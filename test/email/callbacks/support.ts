import { createServer, type Server } from 'node:http';
import { createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { isRecord } from '#core/runtime/json.js';
import type { TestPlatform } from '#test/support/platform.js';

export const secret = 'a shared secret of tests';

/** Signs in with the shared secret, as providers do if their webhook's address contains it. */
export const basic = (password = secret): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`svc:${password}`).toString('base64')}`,
});

export interface CallbackReply {
  status: number;
  /** Of a refusal. */
  code: string | undefined;
  /** How many reports had which outcome. */
  counts: Record<string, unknown>;
}

/** Posts to /v1/callbacks/email, as a provider does. */
export async function post(
  platform: TestPlatform,
  body: string | Buffer | object,
  headers: Record<string, string> = {},
): Promise<CallbackReply> {
  const isBytes = typeof body === 'string' || Buffer.isBuffer(body);
  const response = await fetch(`${platform.running.address}/v1/callbacks/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: isBytes ? new Uint8Array(Buffer.from(body)) : JSON.stringify(body),
  });
  const json: unknown = await response.json();
  const parsed = isRecord(json) ? json : {};
  const error = isRecord(parsed['error']) ? parsed['error'] : undefined;
  const code = error?.['code'];
  return { status: response.status, code: typeof code === 'string' ? code : undefined, counts: error ? {} : parsed };
}

/** The key pair of SendGrid's event webhook, and its public key as the console shows it. */
export const sendgridKeys = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
export const sendgridPublicKey = sendgridKeys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');

/** The headers with which SendGrid signs a body. */
export const sendgridHeaders = (
  body: string,
  { key = sendgridKeys.privateKey, timestamp = '1600112502' }: { key?: KeyObject; timestamp?: string } = {},
): Record<string, string> => ({
  'x-twilio-email-event-webhook-timestamp': timestamp,
  'x-twilio-email-event-webhook-signature': sign('sha256', Buffer.from(timestamp + body), key).toString('base64'),
});

/** A body that Mailgun has signed, just now where no time is given: the clock of tests begins at the present. */
export function mailgunBody(
  data: object,
  { key = 'mailgun-signing-key', at = new Date() }: { key?: string; at?: Date } = {},
): object {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const token = 'a8ce0edb2dd8301dee6c2405235584e45aa91d1e9f979f3de0';
  const signature = createHmac('sha256', key).update(`${timestamp}${token}`).digest('hex');
  return { signature: { timestamp, token, signature }, 'event-data': data };
}

/** A web server that stands in for a host of Amazon. */
export interface AmazonServer {
  readonly port: number;
  /** The paths that were asked, with their queries. */
  readonly asked: string[];
  close(): void;
}

/** @param files by path */
export async function startAmazon(files: Readonly<Record<string, string>>): Promise<AmazonServer> {
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const file = files[path.split('?')[0] ?? ''];
    response.writeHead(file === undefined ? 404 : 200).end(file ?? '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  return {
    port: typeof bound === 'object' && bound ? bound.port : 0,
    asked,
    close: () => void server.close(),
  };
}
