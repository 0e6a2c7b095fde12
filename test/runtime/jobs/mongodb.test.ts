import { jobsContract } from './contract/index.js';
import { mongoStore } from './support.js';

describe('jobs in MongoDB', () => {
  const server = process.env['SVC_TEST_MONGODB_URL'];
  if (server === undefined || server === '') {
    it('was not run: SVC_TEST_MONGODB_URL names no server');
    return;
  }
  jobsContract(() => mongoStore(server));
});
