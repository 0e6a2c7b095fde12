import { definePlugin } from '#core/kernel/plugin.js';
import { wordCallback } from './callbacks/word.js';
import { errors } from './errors.js';
import { events } from './events.js';
import addWord from './operations/word/add.js';
import correctWord from './operations/word/correct.js';
import listWords from './operations/word/list.js';
import echo from './operations/echo.js';
import signWord from './operations/word/sign.js';
import suggestWord from './operations/word/suggest.js';
import { suggestPage } from './pages/suggest.js';
import { wordList } from './resources/word-list.js';
import { settings } from './settings.js';
import { counts } from './tables/count.js';
import { words } from './tables/word.js';
import { countWords } from './words/count-words.js';
import { forwardQueue } from './words/forward.js';
import { echoListeners } from './words/listener.js';
import { retention } from './words/retention.js';
import { wordSuggested } from './words/suggested-mail.js';
import { provideWordCount } from './words/word-count.js';

export default definePlugin({
  name: 'ping',
  summary: 'Says words back, and collects them.',
  groups: { word: 'The words that were collected.' },
  tables: [words, counts],
  operations: [addWord, correctWord, echo, listWords, signWord, suggestWord],
  events,
  errors,
  settings,
  provides: [provideWordCount],
  systemTemplates: [wordSuggested],
  pages: [suggestPage],
  callbacks: [wordCallback],
  resources: [wordList],
  consumes: [countWords],
  work: (services) => [forwardQueue(services)],
  listeners: echoListeners,
  jobs: retention,
});
