import { definePlugin } from '#core/kernel/plugin.js';
import { provide } from '#core/kernel/port.js';
import { accountOpener } from '#core/kernel/ports.js';
import { errors } from './errors.js';
import { events } from './events.js';
import get from './operations/get.js';
import { directory } from './ports.js';
import { makeDirectory } from './rules/directory.js';
import { makeAccountOpener } from './rules/open-account.js';
import { accounts } from './tables/account.js';
import { members } from './tables/member.js';
import { projects } from './tables/project.js';
import { themes } from './tables/theme.js';

export default definePlugin({
  name: 'account',
  summary: 'Who owns the deployment’s projects, who may act in them, what was done.',
  alwaysOn: true,
  provides: [provide(accountOpener, makeAccountOpener), provide(directory, makeDirectory)],
  tables: [accounts, projects, members, themes],
  operations: [get],
  events,
  errors,
});
