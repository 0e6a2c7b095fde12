import { serverAddress } from './server-address.js';

/**
 * The server's address without a slash at its end: the one that the caller gave, or that of the server which this
 * package was installed from. Plain JavaScript may pass any value, most often an environment variable that is not set.
 * @param caller what was called, for the error: `new Svc()`
 * @throws TypeError that states what is needed
 */
export function baseUrlOf(options: unknown, caller: string): string {
  const given: unknown = options instanceof Object ? Reflect.get(options, 'baseUrl') : undefined;
  const baseUrl = given === undefined ? serverAddress : given;
  if (typeof baseUrl === 'string') return baseUrl.replace(/\/+$/, '');
  const found = given === undefined ? 'it is undefined' : `it is of type ${given === null ? 'null' : typeof given}`;
  throw new TypeError(
    `${caller} needs baseUrl, but ${found}. Pass the server’s address, such as 'https://svc.example.com'.`,
  );
}
