import { killsOfThePrimary } from './support/fail-over.js';

/* A group of three MySQL servers in single-primary mode on 127.0.0.1:3371, 3372 and 3373. */
killsOfThePrimary({
  name: 'a MySQL group',
  folder: process.env['SVC_TEST_GROUP'],
  variable: 'SVC_TEST_GROUP',
  basePort: 3370,
  kills: Number(process.env['SVC_TEST_GROUP_KILLS'] ?? 20),
  takesPart:
    "SELECT member_state = 'ONLINE' AS online FROM performance_schema.replication_group_members WHERE member_id = @@server_uuid",
});
