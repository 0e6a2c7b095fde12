import type { HttpClient } from '#core/runtime/http-client/client.js';
import { at } from '#core/runtime/json.js';
import type { TwilioAddress } from '../../deployment/addresses.js';
import { callApi, callProblem, type ApiAnswer, type CallOptions } from '../api-call.js';

export type Fields = Readonly<Record<string, string | readonly string[]>>;

/** Twilio's REST API: forms in requests, JSON in answers, HTTP Basic. */
export interface TwilioClient {
  call(method: 'GET' | 'POST' | 'DELETE', url: string, fields?: Fields, options?: CallOptions): Promise<ApiAnswer>;
}

export function twilioClient(http: HttpClient, { accountSid, authToken }: TwilioAddress): TwilioClient {
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  return {
    call(method, url, fields = {}, { pool = 'account', startBy } = {}) {
      const form = formOf(fields);
      if (method !== 'POST')
        return callApi(http, `twilio ${pool}`, {
          method,
          url: form === '' ? url : `${url}?${form}`,
          headers: { authorization },
        });
      const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
      return callApi(http, `twilio ${pool}`, { method, url, headers, body: form, startBy });
    },
  };
}

function formOf(fields: Fields): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    for (const each of typeof value === 'string' ? [value] : value) form.append(name, each);
  return form.toString();
}

/** An error of Twilio: its code (https://www.twilio.com/docs/api/errors) and message. */
export interface TwilioError {
  readonly code: number | null;
  readonly message: string;
}

export function errorOf(status: number, json: unknown): TwilioError {
  const code = at(json, 'code');
  const message = at(json, 'message');
  return {
    code: typeof code === 'number' ? code : null,
    message: typeof message === 'string' && message !== '' ? message : `It responded with HTTP status ${status}.`,
  };
}

/** How a failed call to Twilio is reported. */
export const problemOf = (answer: ApiAnswer): ReturnType<typeof callProblem> => callProblem(answer, errorOf);
