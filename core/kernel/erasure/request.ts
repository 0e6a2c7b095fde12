import { insertInto, joined } from '#core/runtime/database/statement.js';
import { idBytes, newId } from '#core/runtime/id.js';
import type { Cell } from '#core/runtime/secrets/vault.js';
import { enqueueStatement } from '#core/runtime/work/queue.js';
import type { Context } from '../context.js';
import type { Erasure } from '../ports.js';
import type { AddressCheck, PersonAddress } from './person.js';

export const erasureQueue = { name: 'svc.erasure', table: 'svc_erasure_queue' } as const;

/** The purpose under which a request's addresses are encrypted: the erasure needs them until it is done. */
export const addressesCell = (id: string): Cell => ({ table: 'svc_erasure', column: 'addresses_sealed', row: id });

/**
 * The port `kernel.erasure`: a request commits with the caller's rows and is processed afterwards. Addresses that another person also has
 * are left out of the request, so that only data with the person's id is erased.
 * @param checks the `hasAddress` of every product
 */
export const makeErasure = (
  { db, clock, vault, wake, startedBy }: Context,
  checks: readonly AddressCheck[],
): Erasure => ({
  async request({ environment, personId, ...addresses }) {
    const unlessShared = async (kind: PersonAddress['kind'], address: string | null): Promise<string | null> => {
      if (address === null) return null;
      for (const check of checks) if (await check(db, { environment, personId, kind, address })) return null;
      return address;
    };
    const email = await unlessShared('email', addresses.email);
    const phone = await unlessShared('phone', addresses.phone);
    const id = newId();
    const now = clock.now();
    const activityId = startedBy();
    const { sql, parameters } = joined([
      insertInto('svc_erasure', [
        {
          id: idBytes(id),
          environment_id: idBytes(environment.id),
          person_id: idBytes(personId),
          addresses_sealed: vault.seal(JSON.stringify({ email, phone }), addressesCell(id)),
          requested_at: now,
          activity_id: activityId === null ? null : idBytes(activityId),
        },
      ]),
      enqueueStatement(erasureQueue, [{ id, partitionId: environment.id, lane: 'transactional', dueAt: now }]),
    ]);
    await db.run(sql, parameters);
    wake(erasureQueue.name);
  },
});
