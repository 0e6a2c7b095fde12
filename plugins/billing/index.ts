import { definePlugin } from '#core/kernel/plugin.js';
import { need, provide } from '#core/kernel/provision.js';
import { directory } from '#plugins/account/ports.js';
import { deploymentSettings } from './deployment-settings.js';
import { errors } from './errors.js';
import { events } from './events.js';
import creditRecord from './operations/credit/record.js';
import creditReverse from './operations/credit/reverse.js';
import detailsSet from './operations/details/set.js';
import passthroughRecord from './operations/passthrough/record.js';
import { makePassThroughFees } from './passthrough/record.js';
import { paymentSettings } from './payments/payment-url.js';
import { passThroughFees, standings } from './ports.js';
import { makeStandings } from './standing/standings.js';
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
  groups: {
    credit: 'What the operator grants an account; its invoices use it first.',
    details: 'The name, address and tax id that invoices carry.',
    passthrough: 'Fees of carriers, charged at cost.',
  },
  needs: [need(directory)],
  provides: [provide(passThroughFees, makePassThroughFees), provide(standings, makeStandings)],
  settings: { ...deploymentSettings, ...paymentSettings },
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
  operations: [creditRecord, creditReverse, detailsSet, passthroughRecord],
  events,
  errors,
});
