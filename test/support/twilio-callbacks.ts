import { createHmac } from 'node:crypto';

export interface CallbackReply {
  readonly status: number;
  readonly text: string;
}

/** The signature of a form, written from Twilio's documentation (“Validating requests are coming from Twilio”). */
export function twilioSignature(
  publicUrl: string,
  fields: Readonly<Record<string, string>>,
  authToken: string,
): string {
  const names = Object.keys(fields).sort();
  const signed = publicUrl + names.map((name) => name + (fields[name] ?? '')).join('');
  return createHmac('sha1', authToken).update(Buffer.from(signed, 'utf8')).digest('base64');
}

/** Posts a form as Twilio does. @param publicUrl the address that Twilio was given; @param address where svc listens */
export async function postSigned(
  publicUrl: string,
  address: string,
  fields: Readonly<Record<string, string>>,
  authToken: string,
): Promise<CallbackReply> {
  const { pathname, search } = new URL(publicUrl);
  const response = await fetch(`${address}${pathname}${search}`, {
    method: 'POST',
    headers: { 'x-twilio-signature': twilioSignature(publicUrl, fields, authToken) },
    body: new URLSearchParams(fields),
  });
  return { status: response.status, text: await response.text() };
}
