import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { startExample } from './support.js';

describe('examples/contact-import', function () {
  this.timeout(60_000);
  needProducts('audience');
  const platform = usePlatform();

  it('imports the file, shows the progress, and lists the row that was refused', async () => {
    const { keys, svc } = await platform.account();
    const example = startExample(['contact-import/import-contacts.ts', 'examples/contact-import/contacts.csv'], {
      SVC_API_URL: platform.running.address,
      SVC_API_KEY: keys.live.secret,
    });
    expect(await example.ended(), example.printed()).to.equal(0);
    expect(example.printed()).to.contain('done: 4 of 4 rows, 3 created, 0 updated, 1 refused');
    expect(example.printed()).to.match(/^row 3: invalid_input: .*email/m);
    const { contact } = await svc.call('audience.contact.get', { email: 'ada@example.com' });
    expect(contact).to.deep.include({ firstName: 'Ada', lastName: 'Lovelace', properties: { plan: 'pro', orders: 3 } });
  });

  it('says how it is used where no file is named', async () => {
    const example = startExample(['contact-import/import-contacts.ts'], {});
    expect(await example.ended()).to.equal(1);
    expect(example.printed()).to.contain('Usage: ');
  });
});
