import { expect } from 'chai';
import { readCookies, setCookieHeader } from '#core/surfaces/http/cookies.js';

describe('a page’s cookies', () => {
  it('are bound to the host over https, and plain on loopback', () => {
    expect(setCookieHeader({ name: 'a', value: '1' }, true)).to.equal(
      '__Host-a=1; Path=/; HttpOnly; SameSite=Lax; Secure',
    );
    expect(setCookieHeader({ name: 'a', value: '1', maxAgeSeconds: 60, sameSite: 'Strict' }, false)).to.equal(
      'a=1; Path=/; HttpOnly; SameSite=Strict; Max-Age=60',
    );
  });

  it('are read by the name that the page set; over https one that a subdomain may have planted is left out', () => {
    const header = '__Host-a=1; a=2; __Host-=3; b=4';
    expect([...readCookies(header, true)]).to.deep.equal([['a', '1']]);
    expect(readCookies(header, false).get('a')).to.equal('2');
    expect([...readCookies('', true)]).to.deep.equal([]);
  });

  it('hold any text, and have no name that ends the header', () => {
    const value = 'a; Secure=no, "ü" = %zz\r\n';
    const header = setCookieHeader({ name: 'a', value }, false);
    expect(header).to.match(/^[\x20-\x7e]+$/);
    expect(readCookies(header.split('; ')[0] ?? '', false).get('a')).to.equal(value);
    for (const name of ['', 'a b', 'a;b', 'a=b', 'a\n'])
      expect(() => setCookieHeader({ name, value }, false)).to.throw();
  });
});
