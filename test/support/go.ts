import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A project in Go, with a module cache of its own. */
interface GoProject {
  readonly folder: string;
  /** Runs the go command in the project. It reaches no other server than the given proxies. */
  go(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<{ stdout: string; stderr: string }>;
  /** Runs gofmt. */
  gofmt(args: readonly string[]): Promise<{ stdout: string; stderr: string }>;
  /** Writes a program into a folder of the project. */
  write(name: string, files: Readonly<Record<string, string>>): Promise<void>;
  /** Removes a folder of the project. */
  remove(name: string): Promise<void>;
  /** Compiles the program in a folder. @returns its path */
  build(name: string): Promise<string>;
}

/** Compiling the standard library takes half a minute, so what was compiled stays for the next run. */
const buildCache = join(tmpdir(), `svc-go-build-${userInfo().uid}`);

const hasGo = (): Promise<boolean> =>
  run('go', ['version']).then(
    () => true,
    () => false,
  );

/**
 * An empty project in Go for the tests of one suite. Call it inside `describe`. Without the go command, the suite is
 * skipped, and says so; in CI that is a failure.
 */
export function useGo(): GoProject {
  const parts: { folder?: string } = {};
  const folder = (): string => {
    if (parts.folder === undefined) throw new Error('There is no project yet: use it inside it() or a hook.');
    return parts.folder;
  };
  const go: GoProject['go'] = (args, env = {}) =>
    run('go', [...args], {
      cwd: join(folder(), 'app'),
      maxBuffer: 16 * 1024 * 1024,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: folder(),
        GOCACHE: buildCache,
        GOPATH: join(folder(), 'go'),
        // Makes the module cache removable.
        GOFLAGS: '-mod=mod -modcacherw',
        GOPROXY: 'off',
        GOTOOLCHAIN: 'local',
        GOTELEMETRY: 'off',
        CGO_ENABLED: '0',
        ...env,
      },
    });
  before(async function () {
    this.timeout(180_000);
    if (!(await hasGo())) {
      const message = 'The go command was not found. On Debian: apt-get install golang-go.';
      if (process.env['CI'] === 'true') throw new Error(message);
      process.stdout.write(`Skipped: ${message}\n`);
      this.skip();
    }
    parts.folder = await mkdtemp(join(tmpdir(), 'svc-go-'));
    await mkdir(join(parts.folder, 'app'));
    await go(['mod', 'init', 'example.com/app']);
  });
  after(async () => {
    if (parts.folder !== undefined) await rm(parts.folder, { recursive: true, force: true });
  });
  return {
    get folder() {
      return join(folder(), 'app');
    },
    go,
    gofmt: (args) => run('gofmt', [...args]),
    remove: (name) => rm(join(folder(), 'app', name), { recursive: true }),
    async write(name, files) {
      await mkdir(join(folder(), 'app', name), { recursive: true });
      for (const [file, text] of Object.entries(files)) await writeFile(join(folder(), 'app', name, file), text);
    },
    async build(name) {
      const program = join(folder(), 'app', name, 'program');
      await go(['build', '-o', program, `./${name}`]);
      return program;
    },
  };
}

/** The variables with which the go command finds the SDK of a server. @param server its address */
export const goModuleVariables = (server: string): Readonly<Record<string, string>> => ({
  GOPROXY: `${server}/clients/go`,
  GONOSUMDB: 'svc.internal',
});
