import { expect } from 'chai';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { coreSettings } from '#core/kernel/settings.js';
import { readSettings } from '#config/read.js';
import { deploymentSettings } from '#plugins/billing/settings/deployment-settings.js';
import { pricesFile } from '#plugins/billing/prices/file-schema.js';
import { pricesOf } from '#plugins/billing/prices/price-list.js';
import { parsePrices, readPricesFile } from '#plugins/billing/prices/read-file.js';

const docs = (name: string): string => fileURLToPath(new URL(`../../docs/${name}`, import.meta.url));
const file = (...prices: readonly string[]): string =>
  `{\n  "currency": "USD",\n  "prices": [\n    ${prices.join(',\n    ')}\n  ]\n}`;
const flat = (unitPrice: string): string => `"tiers": [{ "upTo": null, "unitPrice": "${unitPrice}" }]`;
const mail = `{ "meter": "email.message", "from": "2026-01", ${flat('0.001')} }`;

describe('The prices file', () => {
  it('ships with an example that is read, and a schema that says what it holds', async () => {
    const { currency, entries } = readPricesFile(docs('prices.example.json'));
    expect(currency).to.equal('USD');
    expect(entries.find(({ meter }) => meter === 'email.message')?.tiers).to.deep.equal([
      { upTo: 1_000n, unitPrice: 0n },
      { upTo: 100_000n, unitPrice: 800n },
      { upTo: null, unitPrice: 400n },
    ]);
    const schema: unknown = JSON.parse(await readFile(docs('prices.schema.json'), 'utf8'));
    expect(schema).to.deep.equal({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      ...JSON.parse(JSON.stringify(pricesFile)),
    });
  });

  for (const [what, text, problem] of [
    ['no JSON', '{\n  "currency": "USD",\n  "prices": [ ,\n}', 'in line 3: the JSON is not valid'],
    ['an unknown meter', file(mail, mail.replace('email.message', 'email.massage')), 'in line 5: “prices[1].meter”'],
    ['an unknown field', file(mail.replace('"from"', '"form"')), 'in line 4: “prices[0]'],
    [
      'a field that is missing',
      file(mail.replace('"from": "2026-01", ', '')),
      'in line 4: “prices[0].from” is required',
    ],
    ['a month that does not exist', file(mail.replace('2026-01', '2026-13')), 'in line 4: “prices[0].from”'],
    [
      'a price of seven decimals',
      file(mail.replace('0.001', '0.0000001')),
      'in line 4: “prices[0].tiers[0].unitPrice”',
    ],
    ['a negative price', file(mail.replace('0.001', '-1')), 'in line 4: “prices[0].tiers[0].unitPrice”'],
    ['no tier', file(mail.replace(flat('0.001'), '"tiers": []')), 'in line 4: “prices[0].tiers”'],
    ['an end of the last tier', file(mail.replace('null', '10')), 'in line 4: “prices[0].tiers[0].upTo” must be null'],
    [
      'tiers that do not rise',
      file(
        `{ "meter": "email.message", "from": "2026-01", "tiers": [\n      { "upTo": 10, "unitPrice": "1" },\n      { "upTo": 10, "unitPrice": "2" },\n      { "upTo": null, "unitPrice": "1" }\n    ] }`,
      ),
      'in line 6: “prices[0].tiers[1].upTo” must be above 10',
    ],
    [
      'a tier without an end before the last',
      file(mail.replace('{ "upTo": null', '{ "upTo": null, "unitPrice": "1" }, { "upTo": null')),
      'in line 4: “prices[0].tiers[0].upTo” must be a number',
    ],
    [
      'a country that does not exist',
      file(mail.replace('email.message', 'sms.segment').replace('"from"', '"country": "UK", "from"')),
      'in line 4: “prices[0].country” must be an ISO 3166-1',
    ],
    ['the same price twice', file(mail, mail), 'in line 5: “prices[1]” has the same meter, country and month'],
    [
      'a country of a meter without countries',
      file(mail.replace('"from"', '"country": "DE", "from"')),
      'in line 4: “prices[0].country” must be omitted',
    ],
  ] as const)
    it(`is refused with its line for ${what}`, () => {
      expect(() => parsePrices(text)).to.throw(problem);
    });

  it('is read at the start, which names a file that is not there and a currency that differs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-prices-'));
    const path = join(folder, 'prices.json');
    const start = (variables: Record<string, string>): unknown =>
      readSettings(coreSettings, [deploymentSettings], { SVC_PRICES_FILE: path, ...variables });
    expect(() => start({})).to.throw('SVC_PRICES_FILE names a file that cannot be read (ENOENT)');
    await writeFile(path, file(mail));
    expect(() => start({ SVC_CURRENCY: 'EUR' })).to.throw('prices in USD, but SVC_CURRENCY is EUR');
    await writeFile(path, file(mail.replace('email.message', 'mail')));
    expect(() => start({})).to.throw('SVC_PRICES_FILE has an error in line 4');
    await rm(folder, { recursive: true });
  });

  it('has the price of the latest month that has begun, and that of all other countries where one has none', () => {
    const list = parsePrices(
      file(
        `{ "meter": "sms.segment", "from": "2026-01", ${flat('0.09')} }`,
        `{ "meter": "sms.segment", "from": "2026-03", ${flat('0.08')} }`,
        `{ "meter": "sms.segment", "country": "DE", "from": "2026-02", ${flat('0.11')} }`,
      ),
    );
    const unit = (period: string, country: string | null): bigint | undefined =>
      pricesOf(list, period).priceOf('sms.segment', country)?.tiers[0]?.unitPrice;
    expect(unit('2025-12', 'DE')).to.equal(undefined);
    expect(unit('2026-01', 'DE')).to.equal(90_000n);
    expect(unit('2026-02', 'DE')).to.equal(110_000n);
    expect(unit('2026-02', 'US')).to.equal(90_000n);
    expect(unit('2026-03', 'US')).to.equal(80_000n);
    expect(unit('2027-01', null)).to.equal(80_000n);
  });
});
