import { choiceSetting, integerSetting, listSetting, textSetting, urlSetting } from '#config/declare.js';
import { hasPhoneNumbers, parsePhone } from '#core/kernel/schema/phone.js';
import { checkProviderUrl } from './addresses.js';
import { checkFee } from '../filing/fees.js';

function checkNumber(text: string): void {
  const parsed = parsePhone(text);
  if (!parsed.ok || parsed.number !== text)
    throw new Error(`must be in international form such as +15005550006, not "${text}"`);
}

/** The settings of the deployment. The settings of environments are in settings/. */
export const deploymentSettings = {
  smsUrl: urlSetting({
    variable: 'SVC_SMS_URL',
    description:
      'The provider that sends texts: twilio://<account sid>:<auth token>@api.twilio.com or telnyx://<messaging profile>:<API key>@api.telnyx.com?publicKey=<its public key>; docs/texts.md has the details.',
    defaultValue: undefined,
    defaultText: 'texts are kept and shown at /dev/phone',
    protocols: ['twilio', 'telnyx'],
    check: checkProviderUrl,
  }),
  smsFrom: textSetting({
    variable: 'SVC_SMS_FROM',
    description: 'The deployment’s number, which environments without a number of their own send from.',
    defaultValue: undefined,
    read(text) {
      checkNumber(text);
      return text;
    },
  }),
  smsNumbers: listSetting({
    variable: 'SVC_SMS_NUMBERS',
    description: 'Numbers of the deployment that sms.number.assign hands out before it buys others.',
    defaultValue: [],
    defaultText: 'none',
    each: checkNumber,
  }),
  smsAllowedCountries: listSetting({
    variable: 'SVC_SMS_ALLOWED_COUNTRIES',
    description: 'Countries that texts may go to, ISO 3166-1 alpha-2: US,DE. Required with SVC_SMS_URL.',
    defaultValue: [],
    defaultText: 'all, without SVC_SMS_URL',
    each(country) {
      if (!/^[A-Z]{2}$/.test(country)) throw new Error(`must list countries by two capital letters, not "${country}"`);
      if (!hasPhoneNumbers(country)) throw new Error(`names a country that has no phone numbers: "${country}"`);
    },
  }),
  smsRegistration: choiceSetting({
    variable: 'SVC_SMS_REGISTRATION',
    description: 'Whether live environments must file a carrier registration before their texts leave.',
    choices: ['required', 'not_required'],
    defaultValue: 'required',
  }),
  smsInboundRetentionDays: integerSetting({
    variable: 'SVC_SMS_INBOUND_RETENTION_DAYS',
    description: 'How many days received texts are kept.',
    defaultValue: 400,
    minimum: 1,
    maximum: 36_500,
  }),
  smsRegistrationFees: listSetting({
    variable: 'SVC_SMS_REGISTRATION_FEES',
    description:
      'What the provider charges for filing, in SVC_CURRENCY, which is passed on to the account at cost: brand:4.50,campaign:15.',
    defaultValue: [],
    defaultText: 'nothing is passed on',
    each: checkFee,
  }),
} as const;
