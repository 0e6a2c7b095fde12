import { choiceSetting, integerSetting, listSetting, textSetting, urlSetting } from '#config/declare.js';
import { hasPhoneNumbers, parsePhone } from '#core/kernel/schema/phone.js';
import { addressReaders, checkProviderUrl, providerName } from './addresses.js';
import { checkFee } from '../registration-data/fees.js';

function checkNumber(text: string): void {
  const parsed = parsePhone(text);
  if (!parsed.ok || parsed.number !== text)
    throw new Error(`must be in international form such as +15005550006, not "${text}"`);
}

/** The settings of the deployment. The settings of environments are in settings/. */
export const deploymentSettings = {
  smsUrl: urlSetting({
    variable: 'SVC_SMS_URL',
    share: 'deployment',
    identity: (url) => (typeof url === 'string' ? providerName(url) : null),
    description:
      'The provider that sends text messages: twilio://<account sid>:<auth token>@api.twilio.com or telnyx://<messaging profile>:<API key>@api.telnyx.com?publicKey=<its public key>; see docs/texts.md.',
    defaultValue: undefined,
    defaultText: 'messages are kept and shown at /dev/phone',
    protocols: Object.keys(addressReaders),
    check: checkProviderUrl,
  }),
  smsFrom: textSetting({
    variable: 'SVC_SMS_FROM',
    share: 'deployment',
    description: 'The deployment’s number, used by environments that do not have their own.',
    defaultValue: undefined,
    read(text) {
      checkNumber(text);
      return text;
    },
  }),
  smsNumbers: listSetting({
    variable: 'SVC_SMS_NUMBERS',
    share: 'deployment',
    description: 'The deployment’s pool of numbers, which sms.number.assign uses before it buys others.',
    defaultValue: [],
    defaultText: 'none',
    each: checkNumber,
  }),
  smsAllowedCountries: listSetting({
    variable: 'SVC_SMS_ALLOWED_COUNTRIES',
    share: 'deployment',
    description: 'Countries that messages can be sent to, ISO 3166-1 alpha-2: US,DE. Required with SVC_SMS_URL.',
    defaultValue: [],
    defaultText: 'all, without SVC_SMS_URL',
    each(country) {
      if (!/^[A-Z]{2}$/.test(country)) throw new Error(`must list countries by two capital letters, not "${country}"`);
      if (!hasPhoneNumbers(country)) throw new Error(`contains a country without phone numbers: "${country}"`);
    },
  }),
  smsRegistration: choiceSetting({
    variable: 'SVC_SMS_REGISTRATION',
    share: 'deployment',
    description: 'Whether live environments must submit a carrier registration before they can send messages.',
    choices: ['required', 'not_required'],
    defaultValue: 'required',
  }),
  smsInboundRetentionDays: integerSetting({
    variable: 'SVC_SMS_INBOUND_RETENTION_DAYS',
    share: 'deployment',
    description: 'How many days received text messages are kept.',
    defaultValue: 400,
    minimum: 1,
    maximum: 36_500,
  }),
  smsRegistrationFees: listSetting({
    variable: 'SVC_SMS_REGISTRATION_FEES',
    share: 'deployment',
    description:
      'The provider’s registration fees, in SVC_CURRENCY, passed on to the account at cost: brand:4.50,campaign:15.',
    defaultValue: [],
    defaultText: 'no fees are passed on',
    each: checkFee,
  }),
} as const;
