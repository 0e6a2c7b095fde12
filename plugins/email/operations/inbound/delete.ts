import { lockOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { boolean, object, uuid } from '#core/kernel/schema/schema.js';
import { exampleInbound } from '../../inbound/examples.js';
import { removeInbound } from '../../inbound/remove.js';
import { inbounds } from '../../tables/inbound.js';

export default defineOperation({
  name: 'email.inbound.delete',
  summary: 'Deletes a received message and its attachments.',
  description: 'This cannot be undone. If the sender delivers the same message again, it is not stored again.',
  keywords: 'incoming inbox remove trash',
  access: 'secret',
  impact: { destructive: true, retrySafe: true },
  input: object({ inboundId: uuid('The received message to delete.') }),
  output: object({ deleted: boolean('False if it had already been deleted.') }),
  events: ['email.inbound.deleted'],
  example: { input: { inboundId: exampleInbound.inboundId }, output: { deleted: true } },

  async handle({ inboundId }, { db, caller, clock, emit, audit }) {
    const row = await lockOwned(db, inbounds, caller, inboundId);
    const now = clock.now();
    const isThere = row.deletedAt === null;
    audit({
      subject: { type: 'inbound', id: inboundId },
      summary: 'Deleted a received message.',
      changes: isThere ? [{ field: 'deletedAt', from: null, to: now.toISOString() }] : [],
      unchanged: 'the message was already deleted.',
    });
    if (!isThere) return { deleted: false };
    await removeInbound(db, [row], now);
    emit('email.inbound.deleted', { subjectId: inboundId, data: { inboundId } });
    return { deleted: true };
  },
});
