/** Latin letters that Unicode does not decompose into a base letter and an accent. */
const spelled: Readonly<Record<string, string>> = {
  œ: 'oe',
  æ: 'ae',
  ø: 'o',
  ß: 'ss',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/**
 * A name in lower case without accents and ligatures, for slugs and DNS labels: `Œuvre & Söhne` becomes `oeuvre &
 * sohne`.
 */
export const plainLatin = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[œæøßłđðþı]/g, (letter) => spelled[letter] ?? letter);
