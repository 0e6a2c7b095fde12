import type { SignInBinding } from '../sign-in.js';

/*
 * The sign-ins that a browser has started and not completed. Each has its own cookie, named by its state: people
 * start sign-ins in several tabs, and anyone can send them to the callback with their own state.
 */

export interface StartedSignIn extends SignInBinding {
  /** The address of the app that the sign-in leads to. */
  readonly returnTo: string;
}

/** A cookie's name and value. */
interface Kept {
  readonly name: string;
  readonly value: string;
}

const most = 5;

/** Limit of all of them together: servers refuse requests whose headers are too large. */
const mostCharacters = 4_000;

/** Longer addresses, as they are or encoded, make the cookie too large for browsers. */
const longestReturn = { characters: 2_000, encoded: 3_500 };

export interface StartedSignIns {
  /**
   * The cookie of a new sign-in, and the names of those that it replaces: the oldest ones.
   * @param startPage replaces an address that is too long
   */
  start(header: string | null | undefined, started: StartedSignIn, startPage: string): Kept & { replaces: string[] };
  /** The sign-in with a state, and the name of its cookie; null if this browser has none. */
  find(header: string | null | undefined, state: string | null): (StartedSignIn & { readonly name: string }) | null;
}

/** @param prefix begins the names of the cookies. @param now milliseconds since 1970 */
export function startedSignIns(prefix: string, now: () => number): StartedSignIns {
  const nameOf = (state: string): string => `${prefix}_${state.slice(0, 16)}`;
  const all = (header: string | null | undefined): Kept[] =>
    (header ?? '')
      .split(';')
      .map((each) => each.trim())
      .filter((each) => each.startsWith(`${prefix}_`) && each.includes('='))
      .map((each) => ({ name: each.slice(0, each.indexOf('=')), value: each.slice(each.indexOf('=') + 1) }));
  return {
    start(header, { state, codeVerifier, returnTo }, startPage) {
      const encoded = encodeURIComponent(returnTo);
      const isKeepable = returnTo.length <= longestReturn.characters && encoded.length <= longestReturn.encoded;
      const time = now().toString(36);
      const name = nameOf(state);
      const value = [state, codeVerifier, time, isKeepable ? encoded : encodeURIComponent(startPage)].join('.');
      let [count, left] = [1, mostCharacters - sizeOf({ name, value })];
      const replaces = all(header)
        .sort((one, other) => startedAt(other) - startedAt(one))
        .filter((each) => {
          count += 1;
          left -= sizeOf(each);
          return count > most || left < 0;
        });
      return { name, value, replaces: replaces.map((each) => each.name) };
    },
    find(header, state) {
      if (state === null) return null;
      const name = nameOf(state);
      const found = signInIn(all(header).find((each) => each.name === name)?.value);
      return found?.state === state ? { ...found, name } : null;
    },
  };
}

const sizeOf = ({ name, value }: Kept): number => name.length + value.length;

/** 0 for a cookie of another form. */
const startedAt = ({ value }: Kept): number => Number.parseInt(value.split('.')[2] ?? '', 36) || 0;

/** The sign-in that a cookie keeps; null if it keeps none. */
function signInIn(value = ''): StartedSignIn | null {
  const [state, codeVerifier, , ...rest] = value.split('.');
  if (!state || !codeVerifier) return null;
  try {
    return { state, codeVerifier, returnTo: decodeURIComponent(rest.join('.')) };
  } catch {
    return null;
  }
}
