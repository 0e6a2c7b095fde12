import { promises } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { link } = promises;

function setLink(replacement: typeof link): void {
  Object.assign(promises, { link: replacement });
  syncBuiltinESMExports();
}

/** Makes link() fail in each test of the suite, as on file systems without hard links. */
export function useNoHardLinks(): void {
  beforeEach(() => {
    setLink(() => Promise.reject(Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM' })));
  });
  afterEach(() => setLink(link));
}
