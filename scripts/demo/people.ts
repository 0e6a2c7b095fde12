/** A customer of the demo's company. All addresses are at example.com, which reaches nobody (RFC 2606 §3). */
interface Customer {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly locale: string;
  readonly properties: { readonly plan: 'one-off' | 'subscription'; readonly orders: number; readonly roast: string };
}

const firstNames: readonly (readonly [name: string, locale: string])[] = [
  ['Ada', 'en'], ['Ben', 'en'], ['Chloé', 'fr'], ['Daniel', 'en'], ['Elena', 'es'], ['Felix', 'de'], ['Grace', 'en'],
  ['Hugo', 'fr'], ['Inês', 'pt'], ['Jonas', 'de'], ['Katja', 'de'], ['Liam', 'en'], ['Maya', 'en'], ['Noah', 'en'],
  ['Olivia', 'en'], ['Pablo', 'es'], ['Rosa', 'es'], ['Samir', 'fr'], ['Tess', 'en'], ['Zoe', 'en'],
]; // prettier-ignore
const lastNames = [
  'Abel', 'Baker', 'Costa', 'Dubois', 'Evans', 'Fischer', 'Garcia', 'Hughes', 'Ito', 'Jansen', 'Keller', 'Lopez',
  'Martin', 'Novak', 'Okafor', 'Patel', 'Rossi', 'Schmidt', 'Tanaka', 'Weber', 'Young',
]; // prettier-ignore
const roasts = ['light', 'medium', 'dark', 'decaf'];

const pick = <T>(list: readonly T[], index: number): T => {
  const found = list[index % list.length];
  if (found === undefined) throw new Error('The list is empty.');
  return found;
};

/**
 * The customer with a number. The same number always makes the same customer, so that two runs of the demo show the
 * same company.
 */
export function customer(index: number): Customer {
  const [firstName, locale] = pick(firstNames, index * 7);
  const lastName = pick(lastNames, index * 5 + Math.floor(index / lastNames.length));
  const plain = `${firstName}.${lastName}`
    .normalize('NFD')
    .replace(/[^A-Za-z.]/g, '')
    .toLowerCase();
  return {
    email: `${plain}.${index}@example.com`,
    firstName,
    lastName,
    locale,
    properties: {
      plan: index % 3 === 0 ? 'subscription' : 'one-off',
      orders: 1 + ((index * 11) % 17),
      roast: pick(roasts, index * 3),
    },
  };
}
