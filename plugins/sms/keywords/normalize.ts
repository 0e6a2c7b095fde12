/**
 * A text in the form in which keywords are compared: capitals without accents, apostrophes and invisible characters,
 * with a single space for anything else that separates letters and digits. `“Arrêt.”` and `ARRET` are the same keyword;
 * so are `Opt‐out`, `opt_out` and `opt.out`.
 */
export const normalizedKeyword = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}'’‘`´]/gu, '')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Chinese is written without spaces: these are separate words in all phrases. */
const chineseWords = /谢谢|謝謝|您好|你好|麻烦|麻煩|短信|简讯|簡訊|消息|信息|訊息|[请請]/gu;

/**
 * The words of a line. Words that are spaced out (“S T O P”), stretched (“stoppp”) or run together (“stopstop”) are
 * normalised.
 */
export function wordsOf(line: string): string[] {
  const words: string[] = [];
  let letters: string[] = [];
  const endLetters = (): void => {
    if (letters.length > 2) words.push(letters.join(''));
    else words.push(...letters);
    letters = [];
  };
  for (const word of normalizedKeyword(line.replace(chineseWords, ' $& ')).split(' ')) {
    if (/^\p{L}$/u.test(word)) letters.push(word);
    else {
      endLetters();
      if (word !== '') words.push(word);
    }
  }
  endLetters();
  return words.map((word) => {
    const meant = word.replace(/(\p{L})\1{2,}/gu, '$1');
    return meant.replaceAll('STOP', '') === '' ? 'STOP' : meant;
  });
}
