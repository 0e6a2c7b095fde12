import { erasureBatch, type PersonEraser } from '#core/kernel/erasure/person.js';
import { idBytes } from '#core/runtime/id.js';

/** What is too much for the transaction that deletes a contact: the events that were recorded of the person. */
export const eraser: PersonEraser = {
  async step({ personId }, { db }) {
    const { affectedRows } = await db.run('DELETE FROM audience_event WHERE contact_id = ? LIMIT ?', [
      idBytes(personId),
      erasureBatch,
    ]);
    return { done: affectedRows };
  },
};
