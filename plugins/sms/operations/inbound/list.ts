import { defineOperation } from '#core/kernel/operation.js';
import { findOwned } from '#core/kernel/environment/owned.js';
import { keptSince, notFoundOr, presentKeptSince, type Retention } from '#core/kernel/environment/retention.js';
import { nextBefore, page, paged } from '#core/kernel/schema/paging.js';
import { list, object, optional, phone, uuid } from '#core/kernel/schema/schema.js';
import { readPhone } from '#core/kernel/schema/phone.js';
import { idBytes } from '#core/runtime/id.js';
import { deploymentSettings } from '../../deployment/settings.js';
import { presentInbound } from '../../inbound/present.js';
import { exampleInbound, SmsInbound } from '../../inbound/resources.js';
import { smsDriver } from '../../messages/driver.js';
import { inbounds } from '../../tables/inbound.js';
import { numbers } from '../../tables/number.js';

const inboundKept = { variable: 'SVC_SMS_INBOUND_RETENTION_DAYS', rows: 'text messages that were received' } as const;

export default defineOperation({
  name: 'sms.inbound.list',
  summary: 'Lists received text messages, newest first.',
  description:
    'Includes every message to the environment’s numbers, and messages to the deployment’s number from people whom this environment texted last. `keyword` states what the message did: STOP opted the sender out, START opted them in again, HELP was answered. See docs/texts.md.',
  keywords: 'incoming sms replies answers inbox conversation received stop start help',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  mayBeOld: 'on request',
  input: object({
    ...page,
    from: optional(phone('Messages from this number, E.164. Short codes and sender names are not supported here.')),
    numberId: optional(uuid('Messages to this number of the environment.')),
    inboundId: optional(uuid('Only this message.')),
  }),
  output: object({ inbound: list(SmsInbound), nextBefore, keptSince: keptSince(inboundKept) }),
  errors: ['not_found'],
  example: {
    input: { limit: 20 },
    output: { inbound: [exampleInbound], nextBefore: null, keptSince: '2025-10-17T09:30:00.000Z' },
  },

  async handle({ before, limit, from, numberId, inboundId }, { db, caller, clock, deployment }) {
    const days = deployment.settingsOf(deploymentSettings).smsInboundRetentionDays;
    const retention: Retention = { ...inboundKept, days };
    const own = { environment: idBytes(caller.environment.id) };
    // The most specific filter determines which index is read.
    const along: [sql: string, parameters: object, index: string][] = [];
    if (inboundId !== undefined) {
      const words = notFoundOr(inbounds.notFound, retention, inboundId, clock.now());
      const one = await findOwned(db, inbounds, caller, inboundId, words);
      along.push(['inbound.id = :id', { id: idBytes(one.id) }, 'PRIMARY']);
    }
    if (from !== undefined)
      along.push([
        'inbound.environment_id = :environment AND inbound.from_number IN (:...from)',
        { from: smsDriver.keysOf(readPhone('from', from)).map((key) => Buffer.from(key)) },
        'sender',
      ]);
    if (numberId !== undefined) {
      const number = await findOwned(db, numbers, caller, numberId);
      along.push(['inbound.number_id = :number', { number: idBytes(number.id) }, 'number']);
    }
    along.push(['inbound.environment_id = :environment', {}, 'environment']);
    const query = db.select(inbounds, 'inbound').setParameters(own);
    along.forEach(([sql, parameters], index) =>
      index === 0 ? query.where(sql, parameters) : query.andWhere(sql, parameters),
    );
    const { rows, next } = await paged(query, 'inbound', along[0]?.[2] ?? 'environment', { before, limit });
    return {
      inbound: rows.map(presentInbound),
      nextBefore: next,
      keptSince: presentKeptSince(retention, clock.now()),
    };
  },
});
