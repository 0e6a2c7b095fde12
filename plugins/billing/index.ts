import { definePlugin } from '#core/kernel/plugin.js';
import { need, provide } from '#core/kernel/provision.js';
import { noBroadcastHolds } from '#core/messaging/broadcasts/past-due.js';
import { dashboard, directory } from '#plugins/account/ports.js';
import { contactCounts } from '#plugins/audience/ports.js';
import { emailBroadcastHolds, transactionalMail } from '#plugins/email/ports.js';
import { smsBroadcastHolds } from '#plugins/sms/ports.js';
import { deploymentSettings } from './settings/deployment-settings.js';
import { errors } from './errors.js';
import { events } from './events.js';
import { charges, monthCloses } from './closing/outgoing.js';
import { closeJobs, closeWork } from './closing/close-work.js';
import { billingJobs } from './jobs.js';
import { noMail } from './mails/mail-owners.js';
import { capMail, invoiceMails } from './mails/templates.js';
import { makeActiveUsers } from './closing/active-users.js';
import { noContactCounts } from './closing/contact-peaks.js';
import { makeMetering } from './cap/metering-port.js';
import { checkCurrency } from './settings/currency.js';
import capSet from './operations/cap/set.js';
import creditRecord from './operations/credit/record.js';
import creditReverse from './operations/credit/reverse.js';
import detailsSet from './operations/details/set.js';
import invoiceGet from './operations/invoice/get.js';
import invoiceList from './operations/invoice/list.js';
import invoicePay from './operations/invoice/pay.js';
import passthroughRecord from './operations/passthrough/record.js';
import get from './operations/get.js';
import paymentConfirm from './operations/payment/confirm.js';
import paymentSetup from './operations/payment/setup.js';
import priceList from './operations/price/list.js';
import usageGet from './operations/usage/get.js';
import { makePassThroughFees } from './passthrough/record.js';
import { invoicePage } from './pages/invoice.js';
import { paymentMethodPage } from './pages/payment-method.js';
import { collectionWork } from './payments/collection/work.js';
import { makeInvoiceCommands } from './payments/invoice-commands.js';
import { activeUsers as activeUsersPort, invoiceCommands, metering, passThroughFees, standings } from './ports.js';
import { makeStandings } from './standing.js';
import { startupNotices } from './startup-notices.js';
import { billingAccounts } from './tables/account.js';
import { storedCurrency } from './tables/currency.js';
import { creditApplications, credits } from './tables/credit.js';
import { invoiceLines, invoices, invoiceSequence } from './tables/invoice.js';
import { months } from './tables/month.js';
import { passthroughs } from './tables/passthrough.js';
import { paymentAttempts, paymentFeeds, paymentSetups } from './tables/payment.js';
import { reservations } from './tables/reservation.js';
import { priceSets, reversals } from './tables/reversal.js';
import { activeUsers, contactPeaks, usages, usageTotals } from './tables/usage.js';

export default definePlugin({
  name: 'billing',
  summary: 'Usage and its cost, the spending cap, invoices, and payment.',
  groups: {
    // Metering
    cap: 'The maximum that the account may spend in a month.',
    price: 'The price of each meter.',
    usage: 'A month’s usage and its price.',
    // Invoices
    credit: 'Credits that the operator grants. Invoices use them before anything is collected.',
    details: 'The name, address and tax id that appear on invoices.',
    invoice: 'Monthly invoices with their lines, status and PDF.',
    passthrough: 'Carrier fees, charged at cost.',
    // Payments
    payment: 'The payment method that invoices are charged to.',
  },
  needs: [
    need(directory),
    // Metering
    need(dashboard),
    need(contactCounts, noContactCounts),
    // Payments
    need(transactionalMail, noMail),
    need(emailBroadcastHolds, noBroadcastHolds),
    need(smsBroadcastHolds, noBroadcastHolds),
  ],
  provides: [
    // Metering
    provide(metering, makeMetering),
    provide(activeUsersPort, makeActiveUsers),
    // Invoices
    provide(passThroughFees, makePassThroughFees),
    // Payments
    provide(standings, makeStandings),
    provide(invoiceCommands, makeInvoiceCommands),
  ],
  settings: deploymentSettings,
  setUp: checkCurrency,
  tables: [
    storedCurrency,
    billingAccounts,
    months,
    usages,
    usageTotals,
    activeUsers,
    contactPeaks,
    reservations,
    reversals,
    priceSets,
    credits,
    creditApplications,
    passthroughs,
    invoices,
    invoiceLines,
    invoiceSequence,
    paymentSetups,
    paymentAttempts,
    paymentFeeds,
  ],
  operations: [
    // Metering
    capSet,
    get,
    priceList,
    usageGet,
    // Invoices
    creditRecord,
    creditReverse,
    detailsSet,
    invoiceGet,
    invoiceList,
    passthroughRecord,
    // Payments
    invoicePay,
    paymentConfirm,
    paymentSetup,
  ],
  // Calls that are refused because of the cap emit it.
  consequences: {
    'email.queued': ['billing.cap.reached'],
    'email.broadcast.queued': ['billing.cap.reached'],
    'sms.queued': ['billing.cap.reached'],
    'sms.number.assigned': ['billing.cap.reached'],
  },
  events,
  errors,
  jobs: (services) => [...billingJobs(services), ...closeJobs(services)],
  systemTemplates: [...Object.values(invoiceMails), capMail],
  pages: [invoicePage, paymentMethodPage],
  work: (services) => [closeWork(services), collectionWork(services)],
  outgoing: [monthCloses, charges],
  startupNotices,
});
