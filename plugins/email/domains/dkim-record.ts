/* Reads DKIM key records as receivers do (RFC 6376 3.2 and 3.6.1). */

type Tags = ReadonlyMap<string, string>;

/** The tags of a record in their order, without the white space that may occur anywhere in a key. */
const tagList = (text: string): readonly (readonly [name: string, value: string])[] =>
  text
    .split(';')
    .filter((tag, index, all) => index < all.length - 1 || tag.trim() !== '')
    .map((tag) => {
      const [name = '', ...rest] = tag.split('=');
      return [name.trim(), rest.join('=').replaceAll(/\s/g, '')] as const;
    });

const tagsOf = (text: string): Tags => new Map(tagList(text));

/** Whether a TXT record is one of a key, also if it is written in a wrong way. */
export const isKey = (text: string): boolean => tagList(text).some(([name]) => name.toLowerCase() === 'p');

const members = (value: string): string[] => value.split(':');

/**
 * @param text a record of a key
 * @param value the expected record
 * @returns what is wrong with it, as what to do with the record; null if receivers verify our signatures with it
 */
export function keyProblem(text: string, value: string): string | null {
  const list = tagList(text);
  const tags = tagsOf(text);
  const expected = tagsOf(value);
  const [key, given] = [expected.get('p') ?? '', tags.get('p')];
  const replace = 'Replace {record} with this value';
  const upper = list.find(
    ([name]) => ['v', 'k', 'p', 'h', 's', 't'].includes(name.toLowerCase()) && /[A-Z]/.test(name),
  );
  if (upper) return `${replace}: the names of its tags must be in lower case, as in “${upper[0].toLowerCase()}=”.`;
  if (given !== undefined && given !== '' && given !== key && key.startsWith(given))
    return `${replace}: its key is cut off. If the panel takes at most 255 characters, split the value into several strings of one record.`;
  if (given !== key) return `${replace}: it contains another key.`;
  if (list.some(([name]) => !/^[a-z][a-z0-9_]*$/i.test(name)) || tags.size < list.length)
    return `${replace}: its tags must be separated by semicolons, and none may be repeated.`;
  if (tags.has('v') && list[0]?.[0] !== 'v') return `${replace}: “v=DKIM1” must be its first tag.`;
  if ((tags.get('v') ?? 'DKIM1') !== 'DKIM1') return `${replace}: its version must be “v=DKIM1”.`;
  const kind = expected.get('k') ?? 'rsa';
  if ((tags.get('k') ?? 'rsa') !== kind) return `${replace}: it contains another key type than k=${kind}.`;
  if (!members(tags.get('h') ?? 'sha256').includes('sha256'))
    return `Remove “h=${tags.get('h')?.slice(0, 60)}” from {record}: signatures use sha256, which it does not allow.`;
  if (!members(tags.get('s') ?? '*').some((service) => service === '*' || service === 'email'))
    return `Remove “s=${tags.get('s')?.slice(0, 60)}” from {record}: it does not allow the key for mail.`;
  if (members(tags.get('t') ?? '').includes('y'))
    return 'Remove the flag “y” of “t=” from {record}: it says that the domain is testing, and receivers treat its mail as unsigned.';
  return null;
}
