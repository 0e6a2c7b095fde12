import { keptSince, presentKeptSince } from '#core/kernel/environment/retention.js';
import { mailboxKey } from '#core/kernel/schema/email-address.js';
import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore, page, paged, type NextIds } from '#core/kernel/schema/paging.js';
import { email, list, object, optional } from '#core/kernel/schema/schema.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import { exampleInbound } from '../../inbound/examples.js';
import { inboundKept, inboundRetentionOf } from '../../inbound/find.js';
import { presentInbound } from '../../inbound/present.js';
import { Inbound } from '../../inbound/resources.js';
import { inbounds } from '../../tables/inbound.js';

/** Received mail with an address in a role, for `paged`. */
const mailWith =
  (db: Pick<ReadSession, 'rows'>, environment: Buffer, role: 'to' | 'sender', address: string): NextIds =>
  async (before, count) => {
    const rows = await db.rows<{ id: Buffer }>(
      `SELECT inbound_id AS id FROM email_inbound_address FORCE INDEX (PRIMARY)
       WHERE environment_id = ? AND address_key = ? AND role = ? ${before ? 'AND inbound_id < ?' : ''}
       ORDER BY inbound_id DESC LIMIT ?`,
      [environment, Buffer.from(mailboxKey(address)), Buffer.from(role), ...(before ? [before] : []), count],
    );
    return rows.map(({ id }) => id);
  };

export default defineOperation({
  name: 'email.inbound.list',
  summary: 'Lists received mail, newest first.',
  description:
    'Mail arrives at verified domains with receiving enabled (email.domain.receiving.enable) and at the project’s own domain. A test environment receives mail at the `test.` subdomain of the project’s domain. See docs/inbound.md.',
  keywords: 'incoming inbox replies answers mail received from customers',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  mayBeOld: 'on request',
  input: object({
    ...page,
    to: optional(email('Mail to this address, in the envelope, To or Cc.')),
    from: optional(email('Mail from this address, in the envelope, From, Sender or Reply-To.')),
  }),
  output: object({ inbound: list(Inbound), nextBefore, keptSince: keptSince(inboundKept) }),
  example: {
    input: { limit: 20 },
    output: { inbound: [exampleInbound], nextBefore: null, keptSince: '2025-10-17T09:30:00.000Z' },
  },

  async handle({ before, limit, to, from }, { db, caller, clock, deployment }) {
    const environment = idBytes(caller.environment.id);
    const query = db
      .select(inbounds, 'inbound')
      .where('inbound.environment_id = :environment', { environment })
      .andWhere('inbound.deleted_at IS NULL');
    if (to !== undefined && from !== undefined)
      query.andWhere(
        `EXISTS (SELECT 1 FROM email_inbound_address a WHERE a.environment_id = :environment AND a.address_key = :from
         AND a.inbound_id = inbound.id AND a.role = 'sender')`,
        { from: Buffer.from(mailboxKey(from)) },
      );
    const [role, address] = to === undefined ? ['sender' as const, from] : ['to' as const, to];
    const along = address === undefined ? 'environment' : mailWith(db, environment, role, address);
    const { rows, next } = await paged(query, 'inbound', along, { before, limit });
    return {
      inbound: rows.map(presentInbound),
      nextBefore: next,
      keptSince: presentKeptSince(inboundRetentionOf(deployment), clock.now()),
    };
  },
});
