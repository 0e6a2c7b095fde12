import { createServer } from 'node:http';

/* A receiver of webhooks that counts the requests, on one loopback address per endpoint. */
const port = Number(process.env['BENCH_SINK_PORT'] ?? 0);
const addresses = Number(process.env['BENCH_SINK_ADDRESSES'] ?? 1);
let count = 0;

const listen = (host: string, at: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer((request, response) => {
      if (request.method === 'GET') {
        response.end(String(count));
        return;
      }
      request.resume().on('end', () => {
        count += 1;
        response.writeHead(204).end();
      });
    });
    server.keepAliveTimeout = 60_000;
    server.once('error', reject).listen(at, host, () => {
      const bound = server.address();
      resolve(typeof bound === 'object' && bound !== null ? bound.port : 0);
    });
  });

const chosen = await listen('127.0.0.1', port);
for (let index = 2; index <= addresses; index += 1) await listen(`127.0.0.${index}`, chosen);
process.on('SIGTERM', () => process.exit(0));
process.stdout.write(`address http://127.0.0.1:${chosen}\n`);
