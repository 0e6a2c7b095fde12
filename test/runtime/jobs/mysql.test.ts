import { agendaContract } from './agenda.js';
import { lockContract } from './locks.js';
import { repositoryContract } from './repository.js';
import { mysqlStore } from './support.js';

describe('jobs in MySQL', () => {
  describe('the repository', () => repositoryContract(mysqlStore));
  describe('its locks', () => lockContract(mysqlStore));
  describe('Agenda on it', () => agendaContract(mysqlStore));
});
