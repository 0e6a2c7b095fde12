import { expect } from 'chai';
import { readCookies, setCookieHeader } from '#core/surfaces/http/cookies.js';

describe('a page’s cookies', () => {
  it('have the __Host- prefix and Secure over https, and neither over http', () => {
    expect(setCookieHeader({ name: 'a', value: '1' }, true)).to.equal(
      '__Host-a=1; Path=/; HttpOnly; SameSite=Lax; Secure',
    );
    expect(setCookieHeader({ name: 'a', value: '1', maxAgeSeconds: 60, sameSite: 'Strict' }, false)).to.equal(
      'a=1; Path=/; HttpOnly; SameSite=Strict; Max-Age=60',
    );
  });

  it('are read without the prefix; over https, cookies without it are ignored', () => {
    const header = '__Host-a=1; a=2; __Host-=3; b=4';
    expect([...readCookies(header, true)]).to.deep.equal([['a', '1']]);
    expect(readCookies(header, false).get('a')).to.equal('2');
    expect([...readCookies('', true)]).to.deep.equal([]);
  });

  it('can hold any text; invalid names are refused', () => {
    const value = 'a; Secure=no, "ü" = %zz\r\n';
    const header = setCookieHeader({ name: 'a', value }, false);
    expect(header).to.match(/^[\x20-\x7e]+$/);
    expect(readCookies(header.split('; ')[0] ?? '', false).get('a')).to.equal(value);
    for (const name of ['', 'a b', 'a;b', 'a=b', 'a\n'])
      expect(() => setCookieHeader({ name, value }, false)).to.throw();
  });
});
