import { expect } from 'chai';
import { mailboxKey, parseAddress, sameMailbox } from '#core/kernel/schema/email-address.js';
import { displayNameProblem, headerProblem, subjectProblem } from '#plugins/email/templates/header.js';

const addressOf = (text: string): string | null => {
  const parsed = parseAddress(text);
  return parsed.ok ? parsed.address : null;
};

describe('email addresses', () => {
  const label63 = 'd'.repeat(63);
  // 64 + @ + 189 = 254 octets, the most there may be
  const longest = `${'l'.repeat(64)}@${[label63, label63, 'd'.repeat(57), 'abc'].join('.')}`;

  const accepted: [string, string][] = [
    ['ann@example.com', 'ann@example.com'],
    ['Ann.Lee+Tag@EXAMPLE.Com', 'Ann.Lee+Tag@example.com'],
    ['owner@mail.localhost', 'owner@mail.localhost'],
    ["o'neil!#$%&*+-/=?^_`{|}~@example.com", "o'neil!#$%&*+-/=?^_`{|}~@example.com"],
    ['ann@bücher.example', 'ann@xn--bcher-kva.example'],
    ['ann@bu\u0308cher.example', 'ann@xn--bcher-kva.example'],
    ['ann@XN--BCHER-KVA.example', 'ann@xn--bcher-kva.example'],
    ['ann@موقع.xn--wgbh1c', 'ann@xn--4gbrim.xn--wgbh1c'],
    ['ann@xn--4gbrim.xn--wgbh1c', 'ann@xn--4gbrim.xn--wgbh1c'],
    ['ann@a。example', 'ann@a.example'],
    ['"john..doe"@example.com', '"john..doe"@example.com'],
    ['"john.doe"@example.com', 'john.doe@example.com'],
    ['1@2.example', '1@2.example'],
    [longest, longest],
  ];
  for (const [text, address] of accepted) {
    it(`takes ${text.slice(0, 60)}`, () => expect(parseAddress(text)).to.deep.equal({ ok: true, address }));
  }

  const refused = [
    '',
    '@',
    'ann',
    'ann@',
    '@example.com',
    ' ann@example.com',
    'ann@example.com ',
    'ann @example.com',
    'ann@example.com\n',
    'ann@example.com\r\nBcc: eve@example.com',
    'ann\r@example.com',
    'ann\u0000@example.com',
    'ann@exam\u0000ple.com',
    'ann@example.com\u0085',
    'ann\u007f@example.com',
    'ann\u00a0@example.com',
    'a@x.example, b@y.example',
    'a@x.example,b@y.example',
    'a@x.example;b@y.example',
    'team: a@x.example;',
    'team:a@x.example;',
    'Ann <ann@example.com>',
    '<ann@example.com>',
    'ann@example.com>',
    'ann(comment)@example.com',
    'ann@(comment)example.com',
    '@relay.example:ann@example.com',
    'a@b@example.com',
    '"a@b"@example.com',
    '"a b"@example.com',
    '"a,b"@example.com',
    '"a\\"b"@example.com',
    '"a"b"@example.com',
    '""@example.com',
    'a"b@example.com',
    '.ann@example.com',
    'ann.@example.com',
    'an..n@example.com',
    'änn@example.com',
    'ann\u200b@example.com',
    'ann@localhost',
    'ann@example..com',
    'ann@.example.com',
    'ann@example.com.',
    'ann@-a.example',
    'ann@a-.example',
    'ann@a_b.example',
    'ann@[127.0.0.1]',
    'ann@[IPv6:::1]',
    'ann@127.0.0.1',
    'ann@0x7f.1',
    'ann@2130706433',
    'ann@example.com:25',
    'ann@example.com/path',
    'ann@example.com／path',
    'ann@example.com?x',
    'ann@example.com#x',
    'ann@example.com\\x',
    'ann@ex%61mple.com',
    'ann@xn--zzzzzz99999.example',
    'ann@xn--a.example',
    'ann@example.xn--a-ecp',
    'ann@xn--.example',
    'ann@xn--abc-.example',
    'ann@a\u202eb.example',
    'ann@\ud800.example',
    `ann@${label63}d.example`,
    `${'l'.repeat(65)}@example.com`,
    `l${longest.slice(0, 63)}${longest.slice(64)}d`,
    `${'l'.repeat(1_000_000)}@example.com`,
  ];
  for (const text of refused) {
    it(`refuses ${JSON.stringify(text.slice(0, 60))}`, () => {
      const parsed = parseAddress(text);
      expect(parsed.ok ? parsed.address : parsed.problem).to.match(/^(?:must|has|is) [\w .,:@<>-]+$/);
      expect(parsed.ok).to.equal(false);
    });
  }

  it('returns an address that parses to itself again and has one meaning', () => {
    const pieces = [
      'a',
      'B',
      '.',
      '@',
      '"',
      ',',
      ';',
      ':',
      '<',
      '>',
      ' ',
      '\r',
      '\n',
      '\0',
      'ü',
      '(',
      ')',
      '-',
      'x.example',
    ];
    let seed = 20260101;
    const pick = (): string => {
      seed = (seed * 48271) % 2147483647; // Lehmer's generator: the same cases every time
      return pieces[seed % pieces.length] ?? '';
    };
    let taken = 0;
    for (let round = 0; round < 50_000; round += 1) {
      const local = Array.from({ length: 1 + (round % 4) }, pick).join('');
      const address = addressOf(`${local}@${round % 3 === 0 ? pick() + pick() : ''}x.example`);
      if (address === null) continue;
      taken += 1;
      expect(address).to.match(/^[^@\s<>,;:()[\]\\\p{Cc}]+@[a-z0-9.-]+$/u);
      expect(addressOf(address)).to.equal(address);
    }
    expect(taken).to.be.greaterThan(1000);
  });

  it('recognises a mailbox in any case, with or without quotes, and with any spelling of its domain', () => {
    expect(mailboxKey('Ann@EXAMPLE.com')).to.equal('ann@example.com');
    expect(sameMailbox('ANN@bücher.example', 'ann@XN--bcher-kva.example')).to.equal(true);
    expect(sameMailbox('"ann"@example.com', 'ann@example.com')).to.equal(true);
    expect(sameMailbox('ann+1@example.com', 'ann@example.com')).to.equal(false);
    expect(mailboxKey('No Address')).to.equal('no address');
    expect(mailboxKey('e\u0301')).to.equal('\u00e9');
  });
});

describe('the key of a text that is not an address', () => {
  it('is made in a moment, however long the text is: reports of bounces name whatever they like', () => {
    const text = `${'\u0300\u0323'.repeat(60_000)}@example.com`;
    const began = process.cpuUsage();
    expect(mailboxKey(text)).to.equal(text);
    expect(process.cpuUsage(began).user / 1_000).to.be.lessThan(1_000);
  });
});

describe('email headers', () => {
  it('takes X-* and List-* with one line of text', () => {
    for (const [name, value] of [
      ['X-Campaign', 'spring 2026'],
      ['x-a', 'Grüße'],
      ['List-Unsubscribe', '<https://example.com/u/1>, <mailto:u@example.com>'],
      ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
      [`X-${'a'.repeat(74)}`, `${'b'.repeat(497)} ${'b'.repeat(500)}`],
      ['X-Long', 'b'.repeat(997)],
    ] as const) {
      expect(headerProblem(name, value), name).to.equal(null);
    }
  });

  for (const name of [
    '',
    'X-',
    'List-',
    'From',
    'Bcc',
    'Content-Type',
    'X',
    'Xa',
    'X-a:b',
    'X-a b',
    'X-a\r\nBcc',
    'X-ä',
  ]) {
    it(`refuses the name ${JSON.stringify(name)}`, () => expect(headerProblem(name, 'x')).to.be.a('string'));
  }
  it('refuses a name of 77 characters, and svc’s own header', () => {
    expect(headerProblem(`X-${'a'.repeat(75)}`, 'x')).to.contain('76');
    expect(headerProblem('x-svc-message-id', 'x')).to.contain('set by svc');
  });

  const values = [
    '',
    ' ',
    'a\r\nBcc: eve@example.com',
    'a\nb',
    'a\rb',
    'a\tb',
    'a\0b',
    'a\u0085b',
    'b '.repeat(500),
    'b'.repeat(998),
  ];
  for (const value of values) {
    it(`refuses the value ${JSON.stringify(value.slice(0, 40))}`, () =>
      expect(headerProblem('X-A', value)).to.be.a('string'));
  }
  it('refuses what is not ASCII in List-*, where only an encoded word could carry it', () => {
    expect(headerProblem('List-Id', 'Grüße <news.example.com>')).to.contain('ASCII');
  });

  it('accepts and refuses subjects and display names', () => {
    expect(subjectProblem('a'.repeat(998))).to.equal(null);
    expect(subjectProblem('🎉'.repeat(998))).to.equal(null);
    expect(subjectProblem('a'.repeat(999))).to.contain('998');
    expect(subjectProblem('  ')).to.contain('empty');
    expect(subjectProblem('Hi\r\nBcc: eve@example.com')).to.contain('line breaks');
    expect(displayNameProblem('Ann "The" Lee, Ltd <x@y>')).to.equal(null);
    expect(displayNameProblem('=?utf-8?Q?Eve=0D=0A?=')).to.contain('encoded words');
    expect(displayNameProblem('Ann\nBcc: eve@example.com')).to.contain('line breaks');
  });
});
