import { serverAddress } from './server-address.js';

/**
 * The server's address without a slash at the end. If the options do not name an address, it is that of the server from
 * which this package was installed. `baseUrl: undefined` is refused, because it usually comes from an environment
 * variable that is not set.
 * @param caller what was called, for the error: `new Svc()`
 * @throws TypeError that states what is needed
 */
export function baseUrlOf(options: unknown, caller: string): string {
  const isNamed = options instanceof Object && 'baseUrl' in options;
  const given: unknown = isNamed ? options.baseUrl : undefined;
  const baseUrl = isNamed ? given : serverAddress;
  if (typeof baseUrl === 'string') return baseUrl.replace(/\/+$/, '');
  const found = given === undefined ? 'it is undefined' : `it is of type ${given === null ? 'null' : typeof given}`;
  throw new TypeError(
    `${caller} needs baseUrl, but ${found}. Pass the server’s address, such as 'https://svc.example.com'.`,
  );
}
