import type { RowDataPacket } from 'mysql2/promise';
import { createTransport } from 'nodemailer';
import { Pool } from 'undici';
import { bytesLiteral, textLiteral } from '#core/runtime/database/literal.js';
import { idText } from '#core/runtime/id.js';

/** A message that is due, with the data that its text is made from. */
export interface DueRow extends RowDataPacket {
  id: Buffer;
  environment_id: Buffer;
  broadcast_id: Buffer;
  contact_id: Buffer;
  address: string;
  first_name: string | null;
  created_at: Date;
}

/** How the floor submits messages. */
export interface Channel {
  readonly name: 'email' | 'sms';
  /** The recipient's address column in a contact, and the column of its digest. */
  readonly columns: { readonly key: string; readonly digest: string };
  readonly concurrency: number;
  /** @returns the id that the provider gave, or the server's reply */
  submit(row: DueRow, text: string): Promise<string>;
  render(row: DueRow): string;
  /** The fields of the message that submitting sets. */
  rendered(rows: readonly { row: DueRow; text: string }[]): string;
}

/** Posts texts as Twilio’s interface expects them. */
function texts(target: URL): Channel {
  const pool = new Pool(target.origin, { connections: 40 });
  const headers = { 'content-type': 'application/x-www-form-urlencoded', authorization: 'Basic QUM6dG9rZW4=' };
  return {
    name: 'sms',
    columns: { key: 'c.phone', digest: 'c.phone_digest' },
    concurrency: 40,
    render: ({ first_name: name }) =>
      `Hello ${name ?? ''}. The winter sale has begun: 20 % off everything until Sunday.`,
    async submit({ id, address }, text) {
      const status = `https://svc.example/callbacks/sms/${idText(id)}`;
      const form = new URLSearchParams({ To: address, From: '+15005550006', Body: text, StatusCallback: status });
      const answer = await pool.request({ method: 'POST', path: '/Messages.json', headers, body: form.toString() });
      return await answer.body.text();
    },
    rendered: (each) =>
      `from_number = '+15005550006', segments = 1, encoding = 'GSM-7', template_locale = 'en', body = CASE id ${each.map(({ row, text }) => `WHEN ${bytesLiteral(row.id)} THEN ${textLiteral(text)}`).join(' ')} END`,
  };
}

/** Sends mail over pooled connections without a composer: a template of lines. */
function mails(target: URL): Channel {
  const concurrency = 20;
  const pool = createTransport({
    host: target.hostname,
    port: Number(target.port),
    pool: true,
    maxConnections: concurrency,
    maxMessages: 1e9,
    ignoreTLS: true,
  });
  const body = 'Hello. '.repeat(230);
  return {
    name: 'email',
    columns: { key: 'c.email_key', digest: 'c.email_digest' },
    concurrency,
    render: ({ id, address, first_name: name }) =>
      `From: Shop <hello@shop.example>\r\nTo: ${address}\r\nSubject: News\r\nMessage-ID: <${idText(id)}@shop.example>\r\nDate: ${new Date().toUTCString()}\r\nList-Unsubscribe: <https://svc.example/u/${idText(id)}>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain\r\n\r\nHello ${name ?? ''}. ${body}https://svc.example/p/${idText(id)}\r\n`,
    async submit({ address }, raw) {
      const { response } = await pool.sendMail({ envelope: { from: 'hello@shop.example', to: [address] }, raw });
      return response;
    },
    rendered: () => `subject = 'News', template_locale = 'en'`,
  };
}

/** @param target `smtp://…` for mails, `http://…` for texts */
export const channelTo = (target: URL): Channel => (target.protocol === 'smtp:' ? mails(target) : texts(target));
