import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { rotateLog } from '#core/runtime/private-server/rotate-log.js';

describe('The log of the private database server', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-server-log-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is kept to two files of a bounded length, while the server goes on writing', async () => {
    const path = join(folder, 'server.log');
    const server = await open(path, 'a');
    const read = (): Promise<string[]> => Promise.all([path, `${path}.1`].map((each) => readFile(each, 'utf8')));
    await server.write('first lines\n');
    await rotateLog(path, 5);
    await server.write('second lines\n');
    expect(await read()).to.deep.equal(['second lines\n', 'first lines\n']);
    await rotateLog(path, 100);
    expect(await read()).to.deep.equal(['second lines\n', 'first lines\n']);
    await rotateLog(path, 5);
    await server.write('third lines\n');
    expect(await read()).to.deep.equal(['third lines\n', 'second lines\n']);
    await server.close();
  });

  it('need not be there', () => rotateLog(join(folder, 'server.log')));
});
