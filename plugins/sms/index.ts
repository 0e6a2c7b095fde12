import { definePlugin } from '#core/kernel/plugin.js';
import { need } from '#core/kernel/provision.js';
import { directory } from '#plugins/account/ports.js';
import { deploymentSettings } from './deployment-settings.js';
import { errors } from './errors.js';
import { events } from './events.js';
import { attempts } from './tables/attempt.js';
import { broadcastCounts, broadcasts } from './tables/broadcast.js';
import { contents } from './tables/content.js';
import { inbounds } from './tables/inbound.js';
import { messages } from './tables/message.js';
import { numbers } from './tables/number.js';
import { recipients } from './tables/recipient.js';
import { registrations } from './tables/registration.js';
import { settingsTable } from './tables/settings.js';
import { statChanges, stats } from './tables/stat.js';
import { templateContents, templates, templateVersions } from './tables/template.js';
import { usages } from './tables/usage.js';

export default definePlugin({
  name: 'sms',
  summary: 'Texts, their templates and broadcasts, numbers, carrier registration, received texts and statistics.',
  groups: {},
  needs: [need(directory)],
  settings: deploymentSettings,
  tables: [
    messages,
    contents,
    recipients,
    attempts,
    templates,
    templateVersions,
    templateContents,
    usages,
    broadcasts,
    broadcastCounts,
    stats,
    statChanges,
    settingsTable,
    numbers,
    registrations,
    inbounds,
  ],
  operations: [],
  events,
  errors,
});
