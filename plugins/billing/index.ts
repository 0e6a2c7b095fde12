import { definePlugin } from '#core/kernel/plugin.js';
import { need } from '#core/kernel/provision.js';
import { directory } from '#plugins/account/ports.js';
import { deploymentSettings } from './deployment-settings.js';
import { errors } from './errors.js';
import { events } from './events.js';
import { billingAccounts } from './tables/account.js';
import { creditApplications, credits } from './tables/credit.js';
import { invoiceLines, invoices, invoiceSequence } from './tables/invoice.js';
import { months } from './tables/month.js';
import { passthroughs } from './tables/passthrough.js';
import { paymentAttempts, paymentSetups } from './tables/payment.js';
import { activeUsers, contactPeaks, usages, usageTotals } from './tables/usage.js';

export default definePlugin({
  name: 'billing',
  summary: 'What was used, what it costs, the spending cap, invoices, and how they are paid.',
  groups: {},
  needs: [need(directory)],
  provides: [],
  settings: deploymentSettings,
  tables: [
    billingAccounts,
    months,
    usages,
    usageTotals,
    activeUsers,
    contactPeaks,
    credits,
    creditApplications,
    passthroughs,
    invoices,
    invoiceLines,
    invoiceSequence,
    paymentSetups,
    paymentAttempts,
  ],
  operations: [],
  events,
  errors,
});
