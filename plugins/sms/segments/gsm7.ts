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
