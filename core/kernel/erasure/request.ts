import { insertInto, joined } from '#core/runtime/database/statement.js';
import { idBytes, idText, newId } from '#core/runtime/id.js';
import type { Cell } from '#core/runtime/secrets/vault.js';
import { enqueueStatement } from '#core/runtime/work/queue.js';
import type { Context } from '../context.js';
import { findEnvironment } from '../environment/environment.js';
import type { Erasure } from '../ports.js';
import type { AddressHolder, FindAddressHolder, PersonAddress, RequestedErasure } from '../person.js';
import type { WorkerServices } from '../worker-services.js';
import { recordErased, type PersonNames } from './erased.js';

export const erasureQueue = { name: 'svc.erasure', table: 'svc_erasure_queue' } as const;

/** Bounds one statement; an organization with one member has few events. */
const mostAttributed = 500;

/** The purpose under which a request's addresses are encrypted: the erasure needs them until it is done. */
const addressesCell = (id: string): Cell => ({ table: 'svc_erasure', column: 'addresses_sealed', row: id });

/** A product that stores people's addresses. */
interface HolderFinder {
  readonly product: string;
  readonly find: FindAddressHolder;
}

/**
 * The port `kernel.erasure`: a request commits with the caller's rows and is processed afterwards. Addresses that
 * another person also has are left out of the request, so that only data with the person's id is erased.
 * @param finders the `findAddressHolder` of every product that has one
 */
export const makeErasure = (
  { db, clock, vault, wake, startedBy }: Context,
  finders: readonly HolderFinder[],
): Erasure => ({
  async request({ environment, personId, externalId, ...addresses }) {
    const holders: AddressHolder[] = [];
    const id = newId();
    const now = clock.now();
    const record = (product: string, names: PersonNames): Promise<void> =>
      recordErased({ db, vault }, { environmentId: environment.id, product, erasedAt: now }, names);
    const unlessShared = async (kind: PersonAddress['kind'], address: string | null): Promise<string | null> => {
      if (address === null) return null;
      const asked = finders.map(({ find }) => find(db, { environment, personId, kind, address }));
      const answers = await Promise.all(asked);
      // The input of a product in which another person has the address now is about that person.
      for (const [index, { product }] of finders.entries())
        if (answers[index] == null) await record(product, { [kind]: address });
      const found = answers.filter((holder) => holder !== null);
      holders.push(...found);
      return found.length === 0 ? address : null;
    };
    const email = await unlessShared('email', addresses.email);
    const phone = await unlessShared('phone', addresses.phone);
    if (externalId) await record(externalId.product, { externalId: externalId.value });
    const activityId = startedBy();
    await db.run(
      joined([
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
      ]),
    );
    wake(erasureQueue.name);
    return holders;
  },
  async attribute({ environment, personId }, { type, ids }) {
    if (ids.length === 0) return;
    const about = [idBytes(personId), idBytes(environment.id), ids.map((id) => Buffer.from(id)), Buffer.from(type)];
    for (const table of ['svc_event', 'svc_activity'])
      await db.run(
        `UPDATE ${table} FORCE INDEX (subject) SET person_id = ?
         WHERE environment_id = ? AND subject_id IN (?) AND subject_type = ? AND person_id IS NULL LIMIT ${mostAttributed}`,
        about,
      );
  },
});

const textAt = (value: unknown, name: string): string | null => {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : null;
  return typeof found === 'string' ? found : null;
};

/**
 * Loads a requested erasure.
 * @returns undefined if it is already done
 * @throws SealedValueError if it was encrypted with another key
 */
export async function loadErasure(
  { database, vault }: Pick<WorkerServices, 'database' | 'vault'>,
  id: string,
): Promise<RequestedErasure | undefined> {
  const [row] = await database.rows<{
    environment_id: Buffer;
    person_id: Buffer;
    addresses_sealed: Buffer;
    requested_at: Date;
    activity_id: Buffer | null;
  }>('SELECT environment_id, person_id, addresses_sealed, requested_at, activity_id FROM svc_erasure WHERE id = ?', [
    idBytes(id),
  ]);
  const environment = row && (await findEnvironment(database, idText(row.environment_id)));
  if (!environment) return undefined;
  const addresses: unknown = JSON.parse(vault.open(row.addresses_sealed, addressesCell(id)).toString('utf8'));
  return {
    environment,
    personId: idText(row.person_id),
    email: textAt(addresses, 'email'),
    phone: textAt(addresses, 'phone'),
    requestedAt: row.requested_at,
    activityId: row.activity_id && idText(row.activity_id),
  };
}
