import { mailboxKey } from '#core/kernel/schema/email-address.js';
import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore, page, paged } from '#core/kernel/schema/paging.js';
import { email, list, object, optional } from '#core/kernel/schema/schema.js';
import { idBytes } from '#core/runtime/id.js';
import { exampleInbound } from '../../inbound/examples.js';
import { presentInbound } from '../../inbound/present.js';
import { Inbound } from '../../inbound/resources.js';
import { inbounds } from '../../tables/inbound.js';

const withAddress = (role: 'to' | 'sender', parameter: string): string =>
  `inbound.id IN (SELECT a.inbound_id FROM email_inbound_address a
   WHERE a.environment_id = :environment AND a.address_key = :${parameter} AND a.role = '${role}')`;

export default defineOperation({
  name: 'email.inbound.list',
  summary: 'List received mail, newest first.',
  description:
    'Mail arrives at verified domains with receiving on (email.domain.receiving.enable) and at the project’s own domain; a test environment receives at `test.` before the project’s own domain. See docs/inbound.md.',
  keywords: 'incoming inbox replies answers mail received from customers',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({
    ...page,
    to: optional(email('Mail to this address, in the envelope, To or Cc.')),
    from: optional(email('Mail from this address, in the envelope, From, Sender or Reply-To.')),
  }),
  output: object({ inbound: list(Inbound), nextBefore }),
  example: { input: { limit: 20 }, output: { inbound: [exampleInbound], nextBefore: null } },

  async handle({ before, limit, to, from }, { db, caller }) {
    const environment = idBytes(caller.environment.id);
    const query = db
      .select(inbounds, 'inbound')
      .where('inbound.environment_id = :environment AND inbound.deleted_at IS NULL', { environment });
    if (to !== undefined) query.andWhere(withAddress('to', 'to'), { to: Buffer.from(mailboxKey(to)) });
    if (from !== undefined) query.andWhere(withAddress('sender', 'from'), { from: Buffer.from(mailboxKey(from)) });
    const { rows, next } = await paged(query, 'inbound', { before, limit });
    return { inbound: rows.map(presentInbound), nextBefore: next };
  },
});
