/* The part of a browser's window that the session needs. The SDK is compiled without the types of browsers. */

interface Events {
  addEventListener(type: string, listener: (event: { readonly key?: string | null }) => void): void;
  removeEventListener(type: string, listener: (event: { readonly key?: string | null }) => void): void;
}

export interface BrowserWindow extends Events {
  readonly location: {
    readonly href: string;
    readonly origin: string;
    readonly pathname: string;
    readonly search: string;
    readonly hash: string;
    assign(address: string): void;
    replace(address: string): void;
  };
  readonly history: { readonly state: unknown; replaceState(state: unknown, unused: string, address: string): void };
  readonly document: Events & { readonly visibilityState: string };
}

const isWindow = (found: unknown): found is BrowserWindow =>
  typeof found === 'object' && found !== null && 'location' in found && 'history' in found && 'document' in found;

/** @throws Error on a server */
export function browserWindow(): BrowserWindow {
  const found: unknown = Reflect.get(globalThis, 'window');
  if (!isWindow(found)) throw new Error('window is missing here: sign in and out only in a browser.');
  return found;
}

/** Listens until the returned function is called. */
export function listen(
  target: Events,
  type: string,
  listener: (event: { readonly key?: string | null }) => void,
): () => void {
  target.addEventListener(type, listener);
  return () => target.removeEventListener(type, listener);
}

/** The address of the page within its site: path, query and fragment. */
export const ownPath = ({ pathname, search, hash }: Pick<BrowserWindow['location'], 'pathname' | 'search' | 'hash'>) =>
  `${pathname}${search}${hash}`;
