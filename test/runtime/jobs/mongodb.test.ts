import { agendaContract } from './agenda.js';
import { lockContract } from './locks.js';
import { repositoryContract } from './repository.js';
import { mongoStore, type Store } from './support.js';

describe('jobs in MongoDB', () => {
  const server = process.env['SVC_TEST_MONGODB_URL'];
  if (server === undefined || server === '') {
    it('was not run: SVC_TEST_MONGODB_URL names no server');
    return;
  }
  const open = (): Promise<Store> => mongoStore(server);
  describe('the repository', () => repositoryContract(open));
  describe('its locks', () => lockContract(open));
  describe('Agenda on it', () => agendaContract(open));
});
