import { keyIssuer } from '#core/kernel/ports.js';
import { definePlugin } from '#core/kernel/plugin.js';
import { need, provide } from '#core/kernel/provision.js';
import { directory } from '#plugins/account/ports.js';
import { errors } from './errors.js';
import { events } from './events.js';
import keyCreate from './operations/key/create.js';
import keyCurrent from './operations/key/current.js';
import keyList from './operations/key/list.js';
import keyRevoke from './operations/key/revoke.js';
import keyRotate from './operations/key/rotate.js';
import keyUpdate from './operations/key/update.js';
import { makeKeyIssuer } from './rules/key-issuer.js';
import { keyLookup } from './rules/key-lookup.js';
import { keys } from './tables/key.js';

export default definePlugin({
  name: 'developers',
  summary: 'API keys, webhook endpoints and their deliveries, the event log.',
  alwaysOn: true,
  needs: [need(directory)],
  provides: [provide(keyIssuer, makeKeyIssuer)],
  tables: [keys],
  operations: [keyCreate, keyCurrent, keyList, keyRevoke, keyRotate, keyUpdate],
  events,
  errors,
  callers: keyLookup,
});
