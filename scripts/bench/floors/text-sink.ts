import { createServer } from 'node:http';

/*
 * The messages interface of an SMS provider that accepts every text and stores none. Its answers wait until SIGUSR2, so
 * that nothing is delivered while something else is measured.
 */

let isOpen = false;
const waiting = new Set<() => void>();
process.on('SIGUSR2', () => {
  isOpen = true;
  waiting.forEach((answer) => answer());
  waiting.clear();
});

let taken = 0;
const server = createServer((request, response) => {
  const answer = (): void => {
    taken += 1;
    response.writeHead(201, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ sid: `SM${taken.toString(16).padStart(32, '0')}`, status: 'queued' }));
  };
  request.resume();
  request.on('end', () => {
    if (isOpen) answer();
    else waiting.add(answer);
  });
  response.on('close', () => waiting.delete(answer));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const bound = server.address();
  process.stdout.write(`address http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}\n`);
});
process.on('SIGTERM', () => process.exit(0));
