import send from '#plugins/email/operations/send.js';
import { floorDatabase, serve } from './bare-server.js';
import { writeLoop } from './write-loop.js';

/* email.send as the write floor does it, behind HTTP and a key: what a caller could see at best. */

const database = floorDatabase();
const commit = await writeLoop(database);

await serve(database, {
  '/email/send': { schema: send.input, permission: 'email:write', handle: () => commit() },
});
