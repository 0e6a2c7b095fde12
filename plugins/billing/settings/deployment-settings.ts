import { integerSetting, textSetting, whetherSet, type Setting } from '#config/declare.js';
import { readFontAddress, type FontAddress } from './font-address.js';
import { decimalsOf } from '../money/micros.js';
import { paymentSettings } from './payment-url.js';
import { priceListName, type PriceList } from '../prices/price-list.js';
import { readPricesFile } from '../prices/read-file.js';

const currencies = new Set(Intl.supportedValuesOf('currency'));

const prices: Setting<PriceList | undefined> = {
  variable: 'SVC_PRICES_FILE',
  share: 'deployment',
  identity: (list) => (isPriceList(list) ? priceListName(list) : null),
  description: 'The JSON file with the price of each meter (docs/billing.md).',
  defaultValue: undefined,
  defaultText: 'everything is free',
  read: readPricesFile,
  conflict({ currency, prices: list }) {
    const stated = isPriceList(list) ? list.currency : currency;
    return stated === currency
      ? undefined
      : `SVC_PRICES_FILE has prices in ${String(stated)}, but SVC_CURRENCY is ${String(currency)}: they must be the same.`;
  },
};

const isPriceList = (value: unknown): value is PriceList =>
  typeof value === 'object' && value !== null && 'currency' in value && 'entries' in value;

const invoiceFont: Setting<FontAddress | null> = {
  variable: 'SVC_INVOICE_FONT',
  share: 'deployment',
  identity: whetherSet,
  description: 'A font file for characters that invoice PDFs cannot otherwise show, such as Chinese (docs/billing.md).',
  defaultValue: null,
  defaultText: 'only Latin, Greek and Cyrillic letters',
  read: readFontAddress,
};

export const deploymentSettings = {
  ...paymentSettings,
  currency: textSetting({
    variable: 'SVC_CURRENCY',
    share: 'deployment',
    description: 'The currency of all prices and invoices, ISO 4217. It cannot be changed once an amount is stored.',
    defaultValue: 'USD',
    recorded: true,
    read(text) {
      if (!currencies.has(text)) throw new Error(`must be an ISO 4217 code such as USD or EUR, not "${text}"`);
      if (decimalsOf(text) > 2) throw new Error(`must be a currency with at most two decimal places, not "${text}"`);
      return text;
    },
  }),
  prices,
  taxPercent: textSetting({
    variable: 'SVC_TAX_PERCENT',
    share: 'deployment',
    description: 'The tax that is added to invoices as one line, in percent: 19 or 8.25.',
    defaultValue: '0',
    read(text) {
      if (!/^\d{1,2}(\.\d{1,4})?$/.test(text))
        throw new Error(`must be a number from 0 to 99 with at most four decimal places, not "${text}"`);
      return text;
    },
  }),
  paymentSetupRetentionDays: integerSetting({
    variable: 'SVC_PAYMENT_SETUP_RETENTION_DAYS',
    share: 'deployment',
    description:
      'How many days payment setups are kept after their start. The setup of the account’s current payment method is always kept.',
    defaultValue: undefined,
    defaultText: 'without a limit',
    minimum: 30,
    maximum: 36_500,
  }),
  invoicePrefix: textSetting({
    variable: 'SVC_INVOICE_PREFIX',
    share: 'deployment',
    description: 'The beginning of invoice numbers, such as SVC-000042. Another one does not restart the count.',
    defaultValue: 'SVC-',
    read(text) {
      if (!/^[A-Za-z0-9-]{1,12}$/.test(text))
        throw new Error(`must be 1 to 12 letters of A to Z, digits and hyphens, not "${text}"`);
      return text;
    },
  }),
  invoiceDueDays: integerSetting({
    variable: 'SVC_INVOICE_DUE_DAYS',
    share: 'deployment',
    description: 'The number of days between an invoice’s issue and its due date.',
    defaultValue: 14,
    minimum: 0,
    maximum: 365,
  }),
  invoiceFont,
} as const;
