import { expect } from 'chai';
import { coreSettings } from '#core/kernel/settings.js';
import { readSettings, SettingsError } from '#config/read.js';
import sms from '#plugins/sms/index.js';

describe('SVC_SMS_ALLOWED_COUNTRIES', () => {
  const problemOf = (countries: string): string => {
    try {
      readSettings(coreSettings, [sms.settings], { SVC_SMS_ALLOWED_COUNTRIES: countries });
      return '';
    } catch (error) {
      if (error instanceof SettingsError) return error.problems.join('\n');
      throw error;
    }
  };

  it('takes countries that have phone numbers, Kosovo too', () => {
    expect(problemOf('US,DE,XK')).to.equal('');
  });

  it('names the value that is not a country', () => {
    expect(problemOf('US,ZZ')).to.contain('contains a country without phone numbers: "ZZ"');
    expect(problemOf('Germany')).to.contain('not "Germany"');
  });
});
