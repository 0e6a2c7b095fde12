import { expect } from 'chai';
import { addressReaders, checkProviderUrl } from '#plugins/sms/deployment/addresses.js';

const sid = 'AC0123456789abcdef0123456789abcdef';
const profile = 'BU0123456789abcdef0123456789abcdef';
const publicKey = encodeURIComponent(Buffer.alloc(32, 7).toString('base64'));

describe('SVC_SMS_URL', () => {
  it('names an account at Twilio, its three servers, and the profile that registrations are filed under', () => {
    expect(addressReaders.twilio(new URL(`twilio://${sid}:to%2Fken@api.twilio.com?profile=${profile}`))).to.deep.equal({
      accountSid: sid,
      authToken: 'to/ken',
      profile,
      api: 'https://api.twilio.com',
      messaging: 'https://messaging.twilio.com',
      trustHub: 'https://trusthub.twilio.com',
    });
    expect(addressReaders.twilio(new URL(`twilio://${sid}:token@api.dublin.ie1.twilio.com`))).to.include({
      messaging: 'https://messaging.dublin.ie1.twilio.com',
    });
  });

  it('names a messaging profile at Telnyx, and the key that its events are signed with', () => {
    const address = addressReaders.telnyx(new URL(`telnyx://profile-1:KEY1@api.telnyx.com?publicKey=${publicKey}`));
    expect(address).to.include({ messagingProfile: 'profile-1', apiKey: 'KEY1' });
    expect(address.api).to.equal('https://api.telnyx.com');
  });

  it('is refused where something is missing, without repeating the secret', () => {
    for (const wrong of [
      'twilio://somebody:very-secret@api.twilio.com',
      `twilio://${sid}@api.twilio.com`,
      `twilio://${sid}:very-secret@api.twilio.com?profile=mine`,
      `twilio://${sid}:very-secret@api.twilio.com?api=ftp://example.com`,
      'telnyx://profile-1:very-secret@api.telnyx.com',
      `telnyx://:very-secret@api.telnyx.com?publicKey=${publicKey}`,
      'telnyx://profile-1:very-secret@api.telnyx.com?publicKey=AAAA',
    ])
      expect(() => checkProviderUrl(wrong), wrong)
        .to.throw(Error)
        .with.property('message')
        .that.does.not.include('very-secret');
  });
});
