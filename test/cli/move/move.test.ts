import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { contactSuites } from './contacts.js';
import { fileSuite } from './files.js';
import { interruptionSuite } from './interruptions.js';
import { moveSuite } from './suite.js';
import { templateSuite } from './templates.js';
import { userSuite } from './users.js';
import { waitSuite } from './waits.js';

/** One server for all of them. */
describe('svc move from', function () {
  this.timeout(60_000);
  needProducts('audience', 'auth', 'email');
  const suite = moveSuite(usePlatform());
  contactSuites(suite);
  userSuite(suite);
  templateSuite(suite);
  fileSuite(suite);
  waitSuite(suite);
  interruptionSuite(suite);
});
