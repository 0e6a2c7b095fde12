import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { goModuleVariables, useGo } from '#test/support/go.js';
import { freePort } from '#test/support/free-port.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { usePython, wheelAddress } from '#test/support/python.js';
import { callCases } from './conformance/calls.js';
import { deliveryCases } from './conformance/deliveries.js';
import { startDriver, type Driver, type Outcome, type Request } from './conformance/driver.js';
import { retryCases } from './conformance/retries.js';
import { tokenCases } from './conformance/tokens.js';
import { useScript } from './support.js';

const folder = fileURLToPath(new URL('conformance', import.meta.url));

describe('The SDKs of all languages', function () {
  this.timeout(60_000);
  const platform = usePlatform({
    settings: async () => {
      const port = await freePort();
      return { SVC_PORT: String(port), SVC_BASE_URL: `http://127.0.0.1:${port}` };
    },
  });
  const script = useScript();
  const state: { account?: TestAccount } = {};
  const account = (): TestAccount => {
    if (!state.account) throw new Error('There is no account yet.');
    return state.account;
  };
  before(async () => {
    state.account = await platform.account();
  });

  /** All cases for one language. @param start called when everything is installed */
  const cases = (language: string, start: () => Driver): void => {
    describe(language, () => {
      const running: { driver?: Driver } = {};
      before(() => {
        running.driver = start();
      });
      after(() => running.driver?.stop());
      const carryOut = (request: Request): Promise<Outcome> => {
        if (!running.driver) throw new Error('The driver is not running.');
        return running.driver.carryOut(request);
      };
      const suite = { language, platform, script, account, carryOut };
      callCases(suite);
      retryCases(suite);
      deliveryCases(suite);
      tokenCases(suite);
    });
  };

  cases('TypeScript', () =>
    startDriver(process.execPath, ['--conditions=svc-source', '--import', 'tsx', join(folder, 'typescript.ts')]),
  );

  describe('from the wheel', () => {
    const python = usePython();
    before(async () => python.install(await wheelAddress(platform.running.address)));
    cases('Python', () => startDriver(python.python, [join(folder, 'python.py'), 'sync']));
    cases('Python with asyncio', () => startDriver(python.python, [join(folder, 'python.py'), 'async']));
  });

  describe('from the module proxy', () => {
    const project = useGo();
    const built: { program?: string } = {};
    before(async function () {
      // Without the cache of an earlier run, the standard library is compiled too.
      this.timeout(300_000);
      await project.go(['get', 'svc.internal/svc@latest'], goModuleVariables(platform.running.address));
      await project.write('driver', { 'main.go': await readFile(join(folder, 'go/main.go'), 'utf8') });
      built.program = await project.build('driver');
    });
    cases('Go', () => startDriver(built.program ?? '', []));
  });
});
