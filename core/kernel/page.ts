import type { RequestFacts } from './caller/caller.js';
import type { Services } from './services.js';

export interface PageRequest {
  method: 'GET' | 'POST';
  path: string;
  query: URLSearchParams;
  /** The fields of a submitted form; empty for GET. */
  form: URLSearchParams;
  /** The request carries a header that proxies add (Forwarded, X-Forwarded-*): it may come from anywhere. */
  forwarded: boolean;
  /** The name in the Host header, without port: what the browser believes that it talks to. */
  host: string;
  /** BCP 47 tags the browser prefers, best first. */
  languages: readonly string[];
  request: RequestFacts;
}

export interface PageAnswer {
  status: number;
  /** A whole HTML document (see surfaces/pages), or another body with its type. */
  body: string | Buffer;
  type?: string;
  headers?: Readonly<Record<string, string>>;
}

/** A page for people, at a fixed address. */
export interface Page {
  readonly path: string;
  readonly methods: readonly ('GET' | 'POST')[];
  readonly answer: (request: PageRequest, services: Services) => Promise<PageAnswer>;
}
