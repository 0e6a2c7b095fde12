/** A server that a browser visits: a test's platform, or a process of its own. */
export interface Visited {
  readonly running: { readonly address: string };
}

export interface Seen {
  status: number;
  text: string;
  headers: Headers;
  /** Where a redirect leads; the app, if it leads to the page on the way there (pages/leave.ts). */
  location: string | null;
}

/** A page that is shown, perhaps after redirects. */
export interface Shown extends Seen {
  /** Its address, which a reload asks for again. */
  path: string;
}

/** A browser without scripts: it keeps cookies and submits forms. */
export interface Visitor {
  get(path: string): Promise<Seen>;
  /** Submits a form of the page at `path`, which was shown last if it has no more than a `step`. */
  post(path: string, fields: Readonly<Record<string, string>>, headers?: Record<string, string>): Promise<Seen>;
  /** Submits a form and follows the redirects within the server. */
  submit(path: string, fields: Readonly<Record<string, string>>): Promise<Shown>;
  /** Opens a page and follows the redirects within the server. */
  open(path: string): Promise<Shown>;
  readonly cookies: Map<string, string>;
  forget(name: RegExp): void;
  /** Takes a cookie of another browser over. */
  keep(name: string, value: string): void;
}

/** Where a page leads by itself. */
export const leadsTo = ({ headers }: Pick<Seen, 'headers'>): string | null =>
  /^0; url=(\S+)$/.exec(headers.get('Refresh') ?? '')?.[1] ?? null;

/** @param language the browser's Accept-Language */
export function visitor(platform: Visited, language = 'en'): Visitor {
  const cookies = new Map<string, string>();
  const request = async (path: string, init: RequestInit): Promise<Seen> => {
    const answer = await fetch(new URL(path, platform.running.address), {
      redirect: 'manual',
      ...init,
      headers: {
        'Accept-Language': language,
        Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...Object.fromEntries(new Headers(init.headers)),
      },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0(;|$)/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = answer.headers.get('Location');
    const onTheWay = location?.endsWith('/leave') ? await request(location, {}) : null;
    return {
      status: answer.status,
      text: await answer.text(),
      headers: answer.headers,
      location: onTheWay ? leadsTo(onTheWay) : location,
    };
  };
  /** The addresses of the pages that were shown, to which their forms are sent, by path and screen. */
  const shown = new Map<string, string>();
  const screenOf = (path: string): string => {
    const { pathname, searchParams } = new URL(path, platform.running.address);
    return `${pathname} ${searchParams.get('step') ?? ''}`;
  };
  /** Whether a path is short for the whole address of a page. */
  const isShort = (path: string): boolean => /^[^?]*(\?step=\w+)?$/.test(path);
  const get = async (path: string): Promise<Seen> => {
    const seen = await request(path, {});
    if (seen.status !== 303) shown.set(screenOf(path), path);
    return seen;
  };
  const post: Visitor['post'] = (path, fields, headers = {}) =>
    request((isShort(path) ? shown.get(screenOf(path)) : undefined) ?? path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { 'Sec-Fetch-Site': 'same-origin', ...headers },
    });
  const follow = async (path: string, first: Seen): Promise<Shown> => {
    let at = path;
    let seen = first;
    while (seen.location !== null && (seen.location.startsWith('/') || seen.location.startsWith('?'))) {
      at = new URL(seen.location, new URL(at, platform.running.address)).href.slice(platform.running.address.length);
      seen = await get(at);
    }
    return { ...seen, path: at };
  };
  return {
    get,
    post,
    submit: async (path, fields) => follow(path, await post(path, fields)),
    open: async (path) => follow(path, await get(path)),
    cookies,
    keep(name, value) {
      cookies.set(name, value);
    },
    forget(name) {
      for (const key of [...cookies.keys()]) if (name.test(key)) cookies.delete(key);
    },
  };
}
