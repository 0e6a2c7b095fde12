import { expect } from 'chai';
import fc from 'fast-check';
import { SegmentedMessage } from 'sms-segments-calculator';
import { countSegments, septetsOf } from '#plugins/sms/segments.js';

const emoji = '😀';

/** What a text is, and its encoding, segments and characters. */
const boundaries: readonly (readonly [
  what: string,
  text: string,
  encoding: string,
  segments: number,
  units: number,
])[] = [
  ['nothing', '', 'GSM-7', 1, 0],
  ['160 of GSM-7', 'a'.repeat(160), 'GSM-7', 1, 160],
  ['161 of GSM-7', 'a'.repeat(161), 'GSM-7', 2, 161],
  ['two full parts of GSM-7', 'a'.repeat(306), 'GSM-7', 2, 306],
  ['one more than two full parts of GSM-7', 'a'.repeat(307), 'GSM-7', 3, 307],
  ['80 euro signs', '€'.repeat(80), 'GSM-7', 1, 160],
  ['80 euro signs and a letter', `${'€'.repeat(80)}a`, 'GSM-7', 2, 161],
  ['an escape that would straddle the first part', `${'a'.repeat(152)}€${'a'.repeat(152)}`, 'GSM-7', 3, 306],
  ['the same without the escape', 'a'.repeat(305), 'GSM-7', 2, 305],
  ['escapes alone: 76 in each part', '{'.repeat(153), 'GSM-7', 3, 306],
  ['line breaks', `${'a\r\n'.repeat(53)}a`, 'GSM-7', 1, 160],
  ['letters of the alphabet that are not ASCII', 'ÄÖÜäöüßñÑéèàùìòÇØøÅåÆæ¿¡£¥§¤Δ', 'GSM-7', 1, 29],
  ['70 of UCS-2', `ł${'a'.repeat(69)}`, 'UCS-2', 1, 70],
  ['71 of UCS-2', `ł${'a'.repeat(70)}`, 'UCS-2', 2, 71],
  ['two full parts of UCS-2', 'ł'.repeat(134), 'UCS-2', 2, 134],
  ['one more than two full parts of UCS-2', 'ł'.repeat(135), 'UCS-2', 3, 135],
  ['35 emoji', emoji.repeat(35), 'UCS-2', 1, 70],
  ['36 emoji: 33 in each part', emoji.repeat(36), 'UCS-2', 2, 72],
  [
    'a surrogate pair that would straddle the first part',
    `${'ł'.repeat(66)}${emoji}${'ł'.repeat(66)}`,
    'UCS-2',
    3,
    134,
  ],
  ['an extension character counts once in UCS-2', `ł${'€'.repeat(69)}`, 'UCS-2', 1, 70],
  ['ten segments of GSM-7', 'a'.repeat(1_530), 'GSM-7', 10, 1_530],
];

describe('segments', () => {
  for (const [what, text, encoding, segments, characters] of boundaries)
    it(`of ${what}: ${segments} in ${encoding}`, () => {
      expect(countSegments(text)).to.include({ encoding, segments, characters });
    });

  it('are those of an independent counter, for texts of letters, escapes, other characters and emoji', () => {
    const gsm = Array.from('abc XYZ019@£$_éÅΔ\n', (each) => fc.constant(each));
    const escaped = Array.from('^{}\\[~]|€', (each) => fc.constant(each));
    const others = Array.from('’“”–…łЖ中\u00a0\t`', (each) => fc.constant(each));
    const pairs = Array.from('😀🚀𝕏', (each) => fc.constant(each));
    const runs = (of: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
      fc.array(fc.oneof(...of), { maxLength: 420 }).map((each) => each.join(''));
    fc.assert(
      fc.property(
        fc.oneof(
          runs([...gsm, ...escaped]),
          runs([...gsm, ...escaped, ...others]),
          runs([...gsm, ...others, ...pairs]),
        ),
        (text) => {
          const reference = new SegmentedMessage(text);
          expect(countSegments(text)).to.include({
            encoding: reference.encodingName,
            segments: reference.segmentsCount,
          });
        },
      ),
      { numRuns: 300 },
    );
  });

  it('take every character of the alphabet and of its extension as the independent counter does', () => {
    // Surrogates are not characters, and the counter treats the pair CR LF as one character.
    for (let code = 0; code < 0x10000; code += 1) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const character = String.fromCharCode(code);
      const { encodingName, numberOfCharacters } = new SegmentedMessage(character);
      const septets = encodingName === 'GSM-7' ? numberOfCharacters : undefined;
      if (septetsOf(character) !== septets)
        expect.fail(`U+${code.toString(16)}: ${String(septetsOf(character))}, and ${String(septets)} by the counter`);
    }
  }).timeout(20_000);

  it('name the characters that force UCS-2, each once: smart quotes, dashes, no-break spaces', () => {
    expect(countSegments('“It’s here” – it’s\u00a0new').forcedBy).to.deep.equal(['“', '’', '”', '–', '\u00a0']);
    expect(countSegments("It's here").forcedBy).to.deep.equal([]);
    expect(countSegments(`It is here ${emoji}${emoji}`).forcedBy).to.deep.equal([emoji]);
    const many = Array.from({ length: 80 }, (_, n) => String.fromCharCode(0x4e00 + n)).join('');
    expect(countSegments(many).forcedBy).to.have.length(50);
  });
});
