import type { Encoding } from './tables/message.js';
import type { Context } from '#core/kernel/context.js';

/*
 * The characters of the GSM 7 bit default alphabet and of its extension table (3GPP TS 23.038 §6.2.1). Languages' own
 * shift tables are not used: many phones do not have them.
 */

const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ' +
    ' !"#¤%&\'()*+,-./0123456789:;<=>?' +
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§' +
    '¿abcdefghijklmnopqrstuvwxyzäöñüà',
);

const extension = new Set('\f^{}\\[~]|€');

/** The septets of a character: 2 with the escape to the extension table; undefined if the alphabet does not have it. */
export const septetsOf = (character: string): 1 | 2 | undefined =>
  basic.has(character) ? 1 : extension.has(character) ? 2 : undefined;

/** The encoding of a text. */
export interface Counted {
  readonly encoding: Encoding;
  /** The number of parts; 1 for an empty text. */
  readonly segments: number;
  /**
   * The units that it uses in its segments: septets of GSM-7, where `^{}\[~]|€` take two; UTF-16 code units of UCS-2,
   * where emoji take two or more.
   */
  readonly characters: number;
  /**
   * The characters that GSM-7 does not have, each once, in the order in which they occur; at most 50. Empty in GSM-7.
   */
  readonly forcedBy: readonly string[];
}

/**
 * What fits into a text of one segment, and into each of several: a user data header of 6 octets, which names the
 * parts, precedes the text of each (3GPP TS 23.040 §9.2.3.24.1).
 */
const room: Readonly<Record<Encoding, { readonly one: number; readonly each: number }>> = {
  'GSM-7': { one: 160, each: 153 },
  'UCS-2': { one: 70, each: 67 },
};

const mostForcedBy = 50;

/**
 * Counts the segments of a text as carriers do. An escape sequence of GSM-7 and a surrogate pair of UCS-2 are never
 * split between parts: a phone could not show their halves.
 */
export function countSegments(text: string): Counted {
  const characters = Array.from(text);
  const foreign = new Set(characters.filter((each) => septetsOf(each) === undefined));
  const encoding = foreign.size === 0 ? 'GSM-7' : 'UCS-2';
  const units = characters.map((each) => (encoding === 'GSM-7' ? (septetsOf(each) ?? 1) : each.length));
  const total = units.reduce((sum, each) => sum + each, 0);
  return {
    encoding,
    segments: total <= room[encoding].one ? 1 : partsOf(units, room[encoding].each),
    characters: total,
    forcedBy: [...foreign].slice(0, mostForcedBy),
  };
}

/**
 * @param units the units of each character
 * @param size the capacity of a part
 */
function partsOf(units: readonly number[], size: number): number {
  let [parts, used] = [1, 0];
  for (const each of units) {
    if (used + each > size) [parts, used] = [parts + 1, 0];
    used += each;
  }
  return parts;
}

/** @throws sms_too_long for a text of more segments than the environment's setting allows */
export function requireShort(
  { fail }: Pick<Context<never, 'sms_too_long'>, 'fail'>,
  { segments, encoding, forcedBy }: Counted,
  limit: number,
): void {
  if (segments <= limit) return;
  const nextStep =
    forcedBy.length === 0
      ? 'Shorten the message, or raise maxSegments with sms.settings.set. sms.estimate counts segments without sending.'
      : `Replace the characters that GSM-7 does not have (${forcedBy.slice(0, 5).join(' ')}), shorten the message, or raise maxSegments with sms.settings.set. sms.estimate lists all of them.`;
  throw fail.sms_too_long({ segments, encoding, limit, nextStep, details: { segments, encoding, limit } });
}
