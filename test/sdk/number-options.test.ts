import { expect } from 'chai';
import { Svc } from '#core/surfaces/sdk/index.js';
import { createTokenVerifier } from '#core/surfaces/sdk/verify-token.js';

/** What programs without types pass: each would make a comparison false, and so a limit none. */
const unreadable: unknown[] = [NaN, Infinity, -1, '300', 'abc', null, {}];
const baseUrl = 'https://svc.example.com';

/** Options as a program without types passes them. */
function withOption<T>(name: string, value: unknown): T;
function withOption(name: string, value: unknown): unknown {
  return { baseUrl, environmentId: '01890a5d-ac96-774b-bcce-b302099a8000', [name]: value };
}

describe('Options of the SDKs that are numbers', () => {
  it('are refused at construction if they are not finite and at least 0', () => {
    for (const value of unreadable) {
      for (const option of ['toleranceMs', 'cacheMs'])
        expect(() => createTokenVerifier(withOption(option, value)), `${option} ${String(value)}`).to.throw(
          TypeError,
          option,
        );
    }
    for (const value of unreadable.filter((each) => each !== null)) {
      for (const option of ['maxRetries', 'timeoutMs', 'maxWaitMs'])
        expect(() => new Svc(withOption(option, value)), `${option} ${JSON.stringify(value)}`).to.throw(
          TypeError,
          option,
        );
    }
  });
});
