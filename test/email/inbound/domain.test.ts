import { expect } from 'chai';
import { at } from '#test/support/json.js';
import { mailHosts, recordOf, useDomains, verifiedDomain } from '../domain/support.js';
import { ingest, inboundSecret, rawMail } from './support.js';

describe('A domain that receives', () => {
  const { platform, names } = useDomains({ ...mailHosts, SVC_INBOUND_SECRET: inboundSecret });

  it('takes mail from when receiving is turned on until it is turned off', async () => {
    const account = await platform.account();
    const { id: domainId, domain } = await verifiedDomain(account.svc, names.dns);
    const outcome = async (): Promise<unknown> => {
      const { body } = await ingest(platform, rawMail({ 'Message-ID': `<${Math.random()}@x>` }), {
        to: `help@${domain}`,
      });
      return at(body, 'reason') ?? at(body, 'status');
    };
    expect(await outcome()).to.equal('receiving_off');
    const enabled = await account.svc.call('email.domain.receiving.enable', { domainId });
    expect(recordOf(enabled.domain, 'receiving').value).to.equal('10 inbound.svc-test.com');
    expect(await outcome()).to.equal('stored');
    await account.svc.call('email.domain.receiving.disable', { domainId });
    expect(await outcome()).to.equal('receiving_off');
    await account.svc.call('email.domain.remove', { domainId });
    expect(await outcome()).to.equal('unknown_recipient');
    const { inbound } = await account.svc.call('email.inbound.list', {});
    expect(inbound.map(({ envelopeTo }) => envelopeTo)).to.deep.equal([`help@${domain}`]);
  });
});
