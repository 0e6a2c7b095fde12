import { expect } from 'chai';
import examples from 'libphonenumber-js/mobile/examples';
import { getCountries, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { countryOf } from '#core/kernel/schema/phone.js';

describe('The country of a phone number', () => {
  it('is the one that libphonenumber names, for a mobile number of each country', () => {
    const numbers = getCountries().flatMap((country) => getExampleNumber(country, examples)?.number ?? []);
    expect(numbers.length).to.be.greaterThan(200);
    for (const number of numbers)
      expect(countryOf(number), number).to.equal(parsePhoneNumberFromString(number)?.country);
  });

  it('is none for numbers of no country', () => {
    for (const number of ['+80012345678', '+88216123456', '+999123456789'])
      expect(countryOf(number), number).to.equal(null);
  });
});
