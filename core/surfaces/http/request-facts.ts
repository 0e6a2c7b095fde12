import type { IncomingMessage } from 'node:http';
import type { RequestFacts } from '#core/kernel/caller/caller.js';
import { newId } from '#core/runtime/id.js';
import { clientAddressReader } from './client-address.js';

const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/** Whether the request came through a proxy. If so, its peer address does not identify the sender. */
export const isForwarded = (request: IncomingMessage): boolean =>
  proxyHeaders.some((name) => request.headers[name] !== undefined);

/**
 * Reads the facts about a request's sender.
 * @param trusted addresses and CIDRs of SVC_TRUST_PROXY: X-Forwarded-For is trusted only from them, right to left
 */
export function requestFactsReader(trusted: readonly string[]): (request: IncomingMessage) => RequestFacts {
  const clientAddress = clientAddressReader(trusted);
  return (request) => ({
    requestId: newId(),
    ip: clientAddress(request),
    userAgent: request.headers['user-agent'] ?? null,
    origin: request.headers.origin ?? null,
    isWaiting: () => !request.socket.destroyed,
  });
}
