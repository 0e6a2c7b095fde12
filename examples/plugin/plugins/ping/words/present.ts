import { dateTime, named, object, text, uuid, type ValueOf } from '#core/kernel/schema/schema.js';
import type { WordRow } from '../tables/word.js';

export const Word = named(
  'Word',
  object(
    {
      id: uuid('The word’s id.'),
      word: text('The word.'),
      createdAt: dateTime('When it was created.'),
    },
    { description: 'A word that was collected.' },
  ),
);

export const exampleWord: ValueOf<typeof Word> = {
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  word: 'hello',
  createdAt: '2026-11-22T09:00:00.000Z',
};

export const presentWord = ({ id, word, createdAt }: WordRow): ValueOf<typeof Word> => ({
  id,
  word,
  createdAt: createdAt.toISOString(),
});
