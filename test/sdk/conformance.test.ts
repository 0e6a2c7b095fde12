import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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
  const python = usePython();
  const script = useScript();
  const state: { account?: TestAccount } = {};
  const account = (): TestAccount => {
    if (!state.account) throw new Error('There is no account yet.');
    return state.account;
  };
  before(async () => {
    state.account = await platform.account();
    await python.install(await wheelAddress(platform.running.address));
  });

  const pythonDriver = (flavour: string) => () => startDriver(python.python, [join(folder, 'python.py'), flavour]);
  const drivers: readonly { readonly language: string; readonly start: () => Driver }[] = [
    {
      language: 'TypeScript',
      start: () =>
        startDriver(process.execPath, ['--conditions=svc-source', '--import', 'tsx', join(folder, 'typescript.ts')]),
    },
    { language: 'Python', start: pythonDriver('sync') },
    { language: 'Python with asyncio', start: pythonDriver('async') },
  ];

  for (const { language, start } of drivers)
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
});
