import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';
import type { PythonEnvironment } from './python.js';

/** A server written in Python. */
export interface PythonServer {
  /** The folder of its programs, in that of the environment. */
  readonly folder: string;
  /** The module of Django’s settings. */
  readonly settings?: string;
  /** The arguments of Python that start it, by the port. */
  readonly start: (port: number) => readonly string[];
}

export interface RunningServer {
  readonly url: string;
  /** What it has printed. */
  readonly output: () => string;
  readonly stop: () => Promise<void>;
}

/** @param app the application, and further arguments of uvicorn */
export const uvicorn =
  (...app: readonly string[]): PythonServer['start'] =>
  (port) => ['-m', 'uvicorn', ...app, '--port', String(port), '--log-level', 'warning'];

/** Django’s own server, with WSGI. */
export const runserver: PythonServer['start'] = (port) => [
  ...['-m', 'django', 'runserver', '--noreload'],
  `127.0.0.1:${port}`,
];

export const djangoAsgi = uvicorn('django.core.asgi:get_asgi_application', '--factory', '--lifespan', 'off');

/** Starts a server and waits until it answers. */
export async function startPythonServer(
  python: PythonEnvironment,
  { folder, settings, start }: PythonServer,
  env: Readonly<Record<string, string>>,
): Promise<RunningServer> {
  const port = await freePort();
  const child = spawn(python.python, start(port), {
    cwd: join(python.folder, folder),
    env: {
      PATH: process.env['PATH'] ?? '',
      PYTHONPATH: '.',
      PYTHONUNBUFFERED: '1',
      ...(settings !== undefined && { DJANGO_SETTINGS_MODULE: settings }),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  const parts: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => parts.push(text));
  const url = `http://127.0.0.1:${port}`;
  const output = (): string => parts.join('');
  const stop = async (): Promise<void> => {
    child.kill();
    await ended;
  };
  const answers = (): Promise<boolean> => {
    if (child.exitCode !== null) throw new Error(`The server ended: ${output()}`);
    return fetch(url).then(
      () => true,
      () => false,
    );
  };
  try {
    // Python compiles the packages at their first use, which takes long on a busy machine.
    await eventually(answers, 'the server answers', 60_000);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, output, stop };
}
