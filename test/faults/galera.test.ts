import { killsOfThePrimary } from './support/fail-over.js';

/* A Galera cluster of three nodes on 127.0.0.1:3361, 3362 and 3363. */
killsOfThePrimary({
  name: 'a Galera cluster',
  folder: process.env['SVC_TEST_GALERA'],
  variable: 'SVC_TEST_GALERA',
  basePort: 3360,
  kills: Number(process.env['SVC_TEST_GALERA_KILLS'] ?? 20),
  takesPart:
    "SELECT variable_value = 'Synced' FROM information_schema.global_status WHERE variable_name = 'wsrep_local_state_comment'",
});
