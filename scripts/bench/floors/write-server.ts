import send from '#plugins/email/operations/send.js';
import { floorDatabase, serve } from './bare-server.js';
import { writeLoop } from './write-loop.js';

/* The write floor behind a minimal HTTP server that checks the key. */

const database = floorDatabase();
const commit = await writeLoop(database);

await serve(database, {
  '/email/send': { schema: send.input, permission: 'email:write', handle: () => commit() },
});
