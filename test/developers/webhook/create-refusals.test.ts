import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { written } from './support.js';

const url = 'https://hooks.example.com/svc';

/** Refused in every environment where SVC_OUTBOUND_ALLOW allows nothing. */
const unreachable = [
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0177.0.0.1/',
  'https://0.0.0.0/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://192.168.1.1/',
  'https://100.64.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://168.63.129.16/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::ffff:169.254.169.254]/',
  'https://[64:ff9b::10.0.0.1]/',
  'https://[2002:7f00:1::]/',
  'https://[fd00::1]/',
  'https://[fe80::1]/',
  'https://[ff02::1]/',
  'https://localhost/',
  'https://LOCALHOST./',
  'https://shop.localhost/',
  'https://metadata/',
  'https://metadata.google.internal/',
  'https://printer.local/',
  'https://ada:secret@hooks.example.com/',
  'https://ada@hooks.example.com/',
  'https://hooks.example.com:0/',
  'ftp://hooks.example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
];

describe('developers.webhook.create refuses', () => {
  const platform = usePlatform({ settings: () => ({ SVC_OUTBOUND_ALLOW: '' }) });

  it('URLs that are not public, contain credentials or are not web addresses, and writes nothing', async () => {
    const account = await platform.account();
    const { svcTest } = account;
    const before = await written(platform, account);
    for (const each of unreachable) {
      const refusal = await svcTest.refusal('developers.webhook.create', { url: each });
      expect(refusal, each).to.include({ code: 'url_not_allowed', status: 403 });
      expect(refusal.message, each).to.match(/[^.]\.$/);
      expect(refusal.message + refusal.fix).not.to.contain('secret@');
    }
    expect(await written(platform, account)).to.deep.equal(before);
  });

  it('the same URLs in developers.webhook.update, and keeps the old URL', async () => {
    const { svcTest } = await platform.account();
    const { endpoint } = await svcTest.call('developers.webhook.create', { url, eventTypes: ['account.*'] });
    const { endpointId } = endpoint;
    for (const each of unreachable) {
      const refusal = await svcTest.refusal('developers.webhook.update', { endpointId, url: each });
      expect(refusal, each).to.include({ code: 'url_not_allowed', status: 403 });
    }
    expect((await svcTest.call('developers.webhook.get', { endpointId })).endpoint).to.deep.equal(endpoint);
  });

  it('plain http in live environments only', async () => {
    const { svc, svcTest } = await platform.account();
    const plain = { url: 'http://hooks.example.com/', eventTypes: ['account.*'] };
    expect((await svc.refusal('developers.webhook.create', plain)).code).to.equal('url_not_allowed');
    expect((await svcTest.call('developers.webhook.create', plain)).endpoint.url).to.equal(plain.url);
  });

  it('URLs of more than 2,048 bytes, whatever their characters', async () => {
    const { svc } = await platform.account();
    const long = (letter: string, times: number): string => `https://hooks.example.com/${letter.repeat(times)}`;
    const longest = { url: long('a', 2_022), eventTypes: ['account.*'] };
    expect((await svc.call('developers.webhook.create', longest)).endpoint.url).to.have.length(2_048);
    const refusal = await svc.refusal('developers.webhook.create', { url: long('é', 2_000) });
    expect(refusal).to.include({ code: 'url_not_allowed', status: 403 });
  });

  itNeeding('email')('unknown event names, and suggests the nearest one', async () => {
    const account = await platform.account();
    const before = await written(platform, account);
    const suggestions: readonly (readonly [string, string | null])[] = [
      ['email.sended', 'email.sent'],
      ['account.update', 'account.updated'],
      ['emails.*', 'email.*'],
      ['Email.Sent', 'email.sent'],
      ['email', null],
      ['email.', null],
      ['email*', 'email.*'],
      ['email.broadcast.*', null],
      ['*', null],
      ['.*', null],
      ['not-an_event', null],
      ['constructor', null],
    ];
    for (const [name, suggestion] of suggestions) {
      const input = { url, eventTypes: ['account.updated', name] };
      const refusal = await account.svcTest.refusal('developers.webhook.create', input);
      expect(refusal, name).to.include({ code: 'unknown_event_type', status: 404 });
      expect(refusal.message, name).to.contain(name);
      if (suggestion !== null) expect(refusal.fix, name).to.contain(`Did you mean ${suggestion}?`);
      expect(refusal.fix).to.contain('/openapi.json');
    }
    expect(await written(platform, account)).to.deep.equal(before);
  });

  itNeeding('audience')(
    'wildcards below a product, and names the events meant and the wildcard that there is',
    async () => {
      const { svc } = await platform.account();
      const fixOf = async (name: string): Promise<string> =>
        (await svc.refusal('developers.webhook.create', { url, eventTypes: [name] })).fix;
      expect(await fixOf('audience.consent.*')).to.equal(
        'Name the events instead: audience.consent.granted, audience.consent.revoked. A wildcard matches all events of a product: audience.*. /openapi.json lists all event names under x-svc-events.',
      );
      expect(await fixOf('audience.consents.*')).to.contain('A wildcard matches all events of a product: audience.*.');
      expect(await fixOf('*'))
        .to.contain('A wildcard matches all events of a product: account.*, ')
        .and.contain('audience.*');
    },
  );

  it('invalid fields, and names each of them', async () => {
    const { svc } = await platform.account();
    const wrong: readonly (readonly [string, object])[] = [
      ['url', {}],
      ['url', { url: 'hooks' }],
      ['url', { url: 1 }],
      ['url', { url: 'https://hooks.example.com/a b' }],
      ['url', { url: `https://hooks.example.com/${'a'.repeat(2_048)}` }],
      ['eventTypes', { url, eventTypes: 'account.*' }],
      ['eventTypes', { url, eventTypes: ['account.updated', 'account.updated'] }],
      ['eventTypes', { url, eventTypes: Array.from({ length: 201 }, (_, index) => `email.e${index}`) }],
      ['eventTypes[0]', { url, eventTypes: ['e'.repeat(101)] }],
      ['eventTypes[0]', { url, eventTypes: [null] }],
      ['description', { url, description: 'd'.repeat(501) }],
      ['secret', { url, secret: 'mine' }],
    ];
    for (const [field, input] of wrong) {
      const { code, status, details } = await svc.refusal('developers.webhook.create', input);
      expect({ code, status, details }, JSON.stringify(input).slice(0, 80)).to.deep.equal({
        code: 'invalid_input',
        status: 400,
        details: { field },
      });
    }
    const longest = { url, eventTypes: ['account.*'], description: 'd'.repeat(500) };
    expect((await svc.call('developers.webhook.create', longest)).endpoint.description).to.have.length(500);
  });
});
