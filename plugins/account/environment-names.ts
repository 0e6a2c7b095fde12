import type { Environment } from '#core/kernel/caller/caller.js';
import type { Translations } from '#core/kernel/language.js';

/** The names of the environments, for readers of mails. */
export const environmentNames: Translations<Readonly<Record<Environment['kind'], string>>> = {
  en: { live: 'live environment', test: 'test environment' },
  de: { live: 'Live-Umgebung', test: 'Testumgebung' },
  fr: { live: 'environnement de production', test: 'environnement de test' },
  es: { live: 'entorno de producción', test: 'entorno de pruebas' },
  pt: { live: 'ambiente de produção', test: 'ambiente de teste' },
};
