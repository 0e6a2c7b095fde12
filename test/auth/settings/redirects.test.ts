import { expect } from 'chai';
import { allowRedirect, hostedPages } from '#plugins/auth/settings/redirects.js';

const settings = {
  redirectUrls: [
    'https://app.example.com',
    'https://www.example.com/signed-in?from=svc',
    'http://localhost:3000',
    'com.example.app:/callback',
  ],
};

describe('where a sign-in may return to', () => {
  it('is every address of an allowed origin, and a longer allowed address itself', () => {
    for (const url of [
      'https://app.example.com',
      'https://app.example.com/any/path?query=1',
      'https://APP.example.com:443/',
      'https://www.example.com/signed-in?from=svc',
      'http://localhost:3000/callback',
      'com.example.app:/callback',
    ])
      expect(allowRedirect(settings, url), url).to.equal(true);
  });

  it('does not match another address, however similar', () => {
    for (const url of [
      'https://app.example.com.evil.example',
      'https://app.example.com:8443',
      'https://app.example.com@evil.example',
      'https://user:secret@app.example.com',
      'http://app.example.com',
      'https://evil.example/https://app.example.com',
      '//evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      'https:\\\\evil.example',
      'https://app.example.com\\@evil.example',
      'https://app.example.com\t.evil.example',
      ' https://app.example.com',
      'https://app.example.com/#svc_code=1',
      'javascript:alert(1)//https://app.example.com',
      'data:text/html,app.example.com',
      'https://www.example.com/',
      'https://www.example.com/signed-in',
      'https://www.example.com/signed-in?from=svc&next=evil',
      'https://www.example.com/signed-in/../other?from=svc',
      'http://localhost:3001',
      'com.example.app:/other',
      'com.example.app.evil:/callback',
      '/relative',
      '',
    ])
      expect(allowRedirect(settings, url), url).to.equal(false);
  });

  it('is nothing while no address is allowed, but the environment’s own hosted pages', () => {
    const pages = hostedPages({ baseUrl: 'https://svc.example.com' }, 'e1');
    const none = { redirectUrls: [] };
    expect(allowRedirect(none, 'https://app.example.com', pages)).to.equal(false);
    expect(allowRedirect(none, 'https://svc.example.com/auth/e1/account', pages)).to.equal(true);
    expect(allowRedirect(none, 'https://svc.example.com/auth/e1/../e2/account', pages)).to.equal(false);
    expect(allowRedirect(none, 'https://svc.example.com.evil.example/auth/e1/account', pages)).to.equal(false);
  });
});
