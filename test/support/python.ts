import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { at } from './json.js';

const run = promisify(execFile);

/** A virtual environment of Python. */
export interface PythonEnvironment {
  /** The path of its `python`. */
  readonly python: string;
  readonly folder: string;
  /** Installs a package from an address, without others and without asking any index. */
  install(url: string): Promise<void>;
}

/** The address of the Python SDK that a server names. @param server its address */
export async function wheelAddress(server: string): Promise<string> {
  const answer: unknown = await (await fetch(`${server}/clients`)).json();
  const clients = at(answer, 'clients');
  const found: unknown = Array.isArray(clients)
    ? clients.find((each: unknown) => at(each, 'name') === 'svc_sdk')
    : undefined;
  return String(at(found, 'url'));
}

/** Packages of Python, and how to install them on Debian. */
interface PythonModules {
  readonly imports: string;
  readonly packages: string;
}

/** What the tests of the Python SDK need. */
const sdkModules: PythonModules = {
  imports: 'ensurepip, venv, httpx, jwt, cryptography, mypy',
  packages: 'python3-venv python3-httpx python3-jwt mypy',
};

/** What the tests of svc_sdk.fastapi and svc_sdk.django need. */
export const frameworkModules: PythonModules = {
  imports: `${sdkModules.imports}, fastapi, django, uvicorn`,
  packages: `${sdkModules.packages} python3-fastapi python3-django python3-uvicorn`,
};

/** The first Python that has what the tests need; undefined if there is none. */
async function findPython({ imports }: PythonModules): Promise<string | undefined> {
  const candidates = [process.env['SVC_TEST_PYTHON'] ?? '', 'python3', '/usr/bin/python3'];
  for (const candidate of candidates.filter((each) => each !== '')) {
    const works = await run(candidate, ['-c', `import ${imports}`]).then(
      () => true,
      () => false,
    );
    if (works) return candidate;
  }
  return undefined;
}

/**
 * A virtual environment for the tests of one suite, with the packages that the machine has. Call it inside `describe`.
 * Without a Python that has the modules, the suite is skipped, and says so; in CI that is a failure.
 */
export function usePython(modules = sdkModules): PythonEnvironment {
  const parts: { folder?: string } = {};
  const folder = (): string => {
    if (parts.folder === undefined) throw new Error('There is no Python yet: use it inside it() or a hook.');
    return parts.folder;
  };
  const python = (): string => join(folder(), 'bin/python');
  before(async function () {
    this.timeout(180_000);
    const found = await findPython(modules);
    if (found === undefined) {
      const message = `There is no Python with ${modules.imports}. On Debian: apt-get install ${modules.packages}. SVC_TEST_PYTHON names another Python.`;
      if (process.env['CI'] === 'true') throw new Error(message);
      process.stdout.write(`Skipped: ${message}\n`);
      this.skip();
    }
    parts.folder = await mkdtemp(join(tmpdir(), 'svc-python-'));
    await run(found, ['-m', 'venv', '--system-site-packages', parts.folder]);
  });
  after(async () => {
    if (parts.folder !== undefined) await rm(parts.folder, { recursive: true, force: true });
  });
  return {
    get folder() {
      return folder();
    },
    get python() {
      return python();
    },
    async install(url) {
      const alone = ['--no-deps', '--no-index', '--no-cache-dir', '--disable-pip-version-check', '--quiet'];
      await run(python(), ['-m', 'pip', 'install', ...alone, url]);
    },
  };
}
