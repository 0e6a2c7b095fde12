import type { HttpClient } from '#core/runtime/http-client/client.js';
import { listAt, textAt } from '#core/runtime/json.js';
import type { TelnyxAddress } from '../../deployment/addresses.js';
import { callApi, callProblem, type ApiAnswer, type ApiRequest, type CallOptions } from '../api-call.js';

/** Telnyx’s REST API: JSON in requests and answers, a bearer key. */
export interface TelnyxClient {
  /** @param path below /v2 */
  call(method: ApiRequest['method'], path: string, body?: object, options?: CallOptions): Promise<ApiAnswer>;
}

export function telnyxClient(http: HttpClient, { api, apiKey }: TelnyxAddress): TelnyxClient {
  return {
    call: (method, path, body, { pool = 'account', startBy } = {}) =>
      callApi(http, `telnyx ${pool}`, {
        method,
        url: `${api}/v2${path}`,
        headers: {
          authorization: `Bearer ${apiKey}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        startBy,
      }),
  };
}

/** An error of Telnyx: its code (https://developers.telnyx.com/api/errors) and message. */
interface TelnyxError {
  readonly code: string | null;
  readonly message: string;
}

export function errorOf(status: number, json: unknown): TelnyxError {
  const [first] = listAt(json, 'errors');
  const message = textAt(first, 'detail') || textAt(first, 'title');
  return { code: textAt(first, 'code'), message: message || `It responded with HTTP status ${status}.` };
}

/** How a failed call to Telnyx is reported. */
export const problemOf = (answer: ApiAnswer): ReturnType<typeof callProblem> => callProblem(answer, errorOf);
