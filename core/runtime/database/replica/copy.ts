import type { ConnectedDatabase } from '../connect.js';
import type { Session } from '../session.js';
import { NotACopy } from './problem.js';

type Server = Pick<Session, 'rows'> & Pick<ConnectedDatabase, 'flavour'>;

/** @throws NotACopy if the server is of another kind than the primary, or has the database of another deployment */
export async function requireCopy(primary: Server, replica: Server): Promise<void> {
  if (replica.flavour !== primary.flavour)
    throw new NotACopy(`is ${replica.flavour}, and the primary is ${primary.flavour}`);
  const [own, copied] = await Promise.all([primary, replica].map(digestOf));
  // Without a row, the replica has not applied the first start yet.
  if (copied && own && !copied.equals(own)) throw new NotACopy('has the database of another deployment');
}

/** The check value of the deployment's key. */
async function digestOf(database: Server): Promise<Buffer | undefined> {
  const [row] = await database.rows<{ digest: Buffer }>('SELECT digest FROM svc_root_key WHERE id = 1');
  return row?.digest;
}
