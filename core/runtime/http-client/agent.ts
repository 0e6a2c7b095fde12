import { Agent } from 'undici';
import type { AddressRules } from './address-rules.js';
import { createConnector } from './lookup.js';
import type { Resolve } from './resolve.js';

/**
 * Opens the HTTP client's connections, to permitted addresses only. This file is imported with the first request,
 * because undici takes 9 MiB of memory.
 * @param options.ca certificates to trust instead of Node's own list
 */
export const createAgent = (
  rules: AddressRules,
  { resolve, connections, ca }: { resolve: Resolve; connections: number; ca: string | undefined },
): Agent =>
  new Agent({
    connections,
    pipelining: 1,
    // The request's own deadline covers headers and body.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: createConnector(rules, resolve, ca),
  });
