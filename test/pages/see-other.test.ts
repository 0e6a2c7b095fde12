import { expect } from 'chai';
import { webOrAppAddress } from '#core/surfaces/pages/app-scheme.js';
import { leadingTo } from '#core/surfaces/pages/leading-to.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';

const hostile = [
  'javascript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'blob:https://x.example/1',
  'file:///etc/passwd',
  'ftp://x.example',
  'x.example',
  'https://x.example; script-src *',
  'com.example;script-src:x',
  '',
];

describe('Addresses that pages lead to', () => {
  const good = [
    ['https://App.example.com/callback?x=1#y', 'https://app.example.com/callback?x=1#y'],
    ['http://localhost:3000/x', 'http://localhost:3000/x'],
    ['http://[::1]:3000/x', 'http://[::1]:3000/x'],
    ['com.example.app:/callback', 'com.example.app:/callback'],
    ['com.example.my+app:/callback', 'com.example.my+app:/callback'],
  ] as const;

  it('are those of the web and of native apps', () => {
    for (const [url, address] of good) expect(webOrAppAddress(url)).to.equal(address);
    for (const url of hostile) expect(() => webOrAppAddress(url), url).to.throw();
  });

  it('follow a page that leads on, in a form that no header can be broken with', () => {
    const page = { status: 200, body: '', headers: { 'Cache-Control': 'no-store' } };
    expect(leadingTo(page, 'https://app.example.com/ü').headers).to.deep.equal({
      'Cache-Control': 'no-store',
      Refresh: '0; url=https://app.example.com/%C3%BC',
    });
    for (const url of hostile) expect(() => leadingTo(page, url), url).to.throw();
  });

  it('follow a redirect, or are paths of this server', () => {
    const location = (url: string): string | undefined => seeOther(url).headers?.['Location'];
    expect(location('?done=1')).to.equal('?done=1');
    expect(location('/auth/x/account')).to.equal('/auth/x/account');
    expect(location('https://app.example.com/cb?svc_code=ü')).to.equal('https://app.example.com/cb?svc_code=%C3%BC');
    for (const url of [...hostile, '//evil.example', '/\\evil.example']) expect(() => seeOther(url), url).to.throw();
  });
});
