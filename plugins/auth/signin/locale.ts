import type { Context } from '#core/kernel/context.js';
import { canonicalLocale } from '#core/kernel/schema/locale.js';

/**
 * A language of the input in its canonical spelling; null if none was given.
 * @throws invalid_input
 */
export function readLocale({ fail }: Pick<Context, 'fail'>, locale: string | undefined): string | null {
  if (locale === undefined) return null;
  const canonical = canonicalLocale(locale);
  if (canonical === null)
    throw fail.invalid_input({ field: 'locale', problem: 'must be a BCP 47 language tag such as en or pt-BR' });
  return canonical;
}
