import { expect } from 'chai';
import { recipientKey } from '#core/kernel/schema/recipient-key.js';

describe('The mailbox that an address reaches', () => {
  const same: Readonly<Record<string, readonly string[]>> = {
    'ada@example.com': ['Ada@Example.com', 'ada+news@example.com', 'ada+a+b@example.com', 'ADA+@example.com'],
    'adalovelace@gmail.com': [
      'ada.lovelace@gmail.com',
      'A.D.A.lovelace+x@GoogleMail.com',
      'ada.love.lace@googlemail.com',
    ],
    'ada@icloud.com': ['ada@me.com', 'ada+shop@mac.com'],
    'ada@yahoo.co.jp': ['ada-shop@yahoo.co.jp', 'ada+x@yahoo.co.jp'],
    'ada@yahoo.it': ['ada-shop@yahoo.it'],
    'adal@yandex.ru': ['a.da-l@yandex.com.tr', 'ada.l+x@yandex.uz', 'adal@ya.ru'],
    'ada_x@yahoo.com': ['ada_x-shop@yahoo.com', 'ada_x-shop+y@yahoo.com'],
    'adalovelace@proton.me': ['ada.lovelace@protonmail.com', 'ada-love_lace+x@pm.me'],
    'ada@fastmail.com': ['news@ada.fastmail.com', 'ada+x@fastmail.com'],
    'ada@fastmail.co.uk': ['news@ada.fastmail.co.uk'],
    'ada@xn--bcher-kva.example': ['ada+x@bücher.example', 'ada@BÜCHER.example'],
  };
  for (const [mailbox, spellings] of Object.entries(same))
    it(`is ${mailbox}, however the address is written`, () => {
      for (const each of [mailbox, ...spellings]) expect(recipientKey(each), each).to.equal(mailbox);
    });

  it('is another one for another name or domain', () => {
    const others = ['ada.lovelace@example.com', 'adalovelace@example.com', 'ada-x@example.com', 'ada@gmail.com'];
    expect(new Set([...others, 'ada@example.com'].map(recipientKey)).size).to.equal(5);
  });

  it('keeps a name that is only a tag or only dots', () => {
    expect(recipientKey('+tag@example.com')).to.equal('+tag@example.com');
    expect(recipientKey('+tag@gmail.com')).to.equal('+tag@gmail.com');
    expect(recipientKey('not an address')).to.equal('not an address');
  });
});
