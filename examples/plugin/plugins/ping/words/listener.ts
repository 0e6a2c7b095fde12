import { createServer } from 'node:net';
import type { Listener } from '#core/kernel/listener.js';
import type { Services } from '#core/kernel/services.js';
import { settings } from '../settings.js';

/** An echo server on SVC_PING_PORT. */
export function echoListeners({ deployment }: Services): Listener[] {
  const { pingPort } = deployment.settingsOf(settings);
  if (pingPort === undefined) return [];
  const server = createServer((socket) => socket.pipe(socket).on('error', () => socket.destroy()));
  return [
    {
      name: `ping on port ${pingPort}`,
      role: 'api',
      start: () =>
        new Promise((resolve, reject) => {
          server.once('error', reject).listen(pingPort, '127.0.0.1', resolve);
        }),
      stop: () => new Promise((resolve) => server.close(() => resolve())),
    },
  ];
}
