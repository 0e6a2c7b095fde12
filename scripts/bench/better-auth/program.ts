/**
 * better-auth as its documentation shows it, on node:http, as the text of a program: it runs in the folder in which it
 * is installed, because it is not a dependency of svc.
 */
export const program = `
import { createServer } from 'node:http';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { createPool } from 'mysql2/promise';
import { hash, verify } from '@node-rs/argon2';

const argon2 = { hash: (password) => hash(password), verify: ({ hash: stored, password }) => verify(stored, password) };
const server = createServer((request, response) => handle(request, response));
server.listen(0, '127.0.0.1', async () => {
  const address = 'http://127.0.0.1:' + server.address().port;
  const options = {
    baseURL: address,
    secret: 'a secret of the bench, which lives for a minute',
    database: createPool({ uri: process.env.BENCH_DATABASE_URL, connectionLimit: Number(process.env.BENCH_POOL), timezone: 'Z' }),
    emailAndPassword: { enabled: true, ...(process.env.BENCH_HASH === 'argon2id' ? { password: argon2 } : {}) },
    // svc has a table named account, too.
    user: { modelName: 'better_auth_user' },
    session: { modelName: 'better_auth_session' },
    account: { modelName: 'better_auth_account' },
    verification: { modelName: 'better_auth_verification' },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
  };
  await (await getMigrations(options)).runMigrations();
  handle = toNodeHandler(betterAuth(options));
  console.log('address ' + address);
});
let handle = (_, response) => response.writeHead(503).end();
process.on('SIGTERM', () => process.exit(0));
`;
