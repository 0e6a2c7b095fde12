import { newId } from '#core/runtime/id.js';
import { domains } from '#plugins/email/tables/domain.js';
import type { TestAccount, TestPlatform } from '#test/support/platform.js';
import { parseJson } from '#core/runtime/json.js';
import { at } from '#test/support/json.js';

export const inboundSecret = 'a-secret-of-the-tests';

/** A message as it arrives; `given` replaces or adds headers, null removes one. */
export function rawMail(given: Record<string, string | null> = {}, body = 'It arrived broken.'): string {
  const headers: Record<string, string | null> = {
    From: 'Ada <ada@example.com>',
    To: 'help@example.com',
    Subject: 'Help',
    Date: 'Fri, 20 Nov 2026 10:00:00 +0000',
    'Message-ID': '<one@mail.example.com>',
    ...given,
  };
  const lines = Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]));
  return `${lines.join('\r\n')}\r\n\r\n${body}\r\n`;
}

export interface IngestAnswer {
  status: number;
  body: unknown;
}

export interface IngestOptions {
  to?: string;
  /** Undefined sends no such header. */
  from?: string | undefined;
  headers?: Record<string, string>;
}

/** Delivers a message as a mail provider does. */
export async function ingest(
  platform: TestPlatform,
  raw: string | Buffer,
  { to, from = 'ada@example.com', headers = {} }: IngestOptions,
): Promise<IngestAnswer> {
  const answer = await fetch(`${platform.running.address}/v1/inbound/ingest`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${inboundSecret}`,
      'Content-Type': 'message/rfc822',
      ...(to === undefined ? {} : { 'x-svc-envelope-to': to }),
      'x-svc-envelope-from': from,
      ...headers,
    },
    body: typeof raw === 'string' ? raw : new Uint8Array(raw),
  });
  return { status: answer.status, body: parseJson(await answer.text()) };
}

/** The project's own domain, at which it receives mail without further ado. */
export async function ownDomain({ svc }: TestAccount): Promise<string> {
  const { ownAddress } = await svc.call('email.sender.get', {});
  return ownAddress.slice(ownAddress.indexOf('@') + 1);
}

/** Delivers a message to an account. @returns its id */
export async function receive(
  platform: TestPlatform,
  account: TestAccount,
  raw: string | Buffer = rawMail(),
  options: IngestOptions = {},
): Promise<string> {
  const to = `help@${await ownDomain(account)}`;
  const { status, body } = await ingest(platform, raw, { to, ...options });
  const id = at(body, 'inboundId');
  if (typeof id !== 'string') throw new Error(`Not stored: ${status} ${JSON.stringify(body)}`);
  return id;
}

/** Gives an environment a verified domain. */
export async function addVerifiedDomain(
  { running, clock }: TestPlatform,
  { live }: TestAccount,
  { domain, receiving }: { domain: string; receiving: boolean },
): Promise<void> {
  const now = clock.now();
  await running.services.database.insert(domains, {
    id: newId(),
    environmentId: live.id,
    domain,
    activeDomain: domain,
    provenDomain: domain,
    status: 'verified',
    receiving,
    pendingSince: null,
    lastCheck: null,
    lastCheckedAt: now,
    verifiedAt: now,
    createdAt: now,
    removedAt: null,
  });
}
