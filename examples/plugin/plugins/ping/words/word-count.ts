import { provide } from '#core/kernel/provision.js';
import { wordCount } from '../ports.js';
import { words } from '../tables/word.js';

export const provideWordCount = provide(wordCount, ({ db }) => ({
  of: (environmentId) => db.count(words, { environmentId }),
}));
