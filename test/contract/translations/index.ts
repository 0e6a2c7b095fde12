import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writtenTexts } from '../support/written-texts.js';
import { lookedAt, readDigests, shown, translatedTexts, unreadTexts, writeDigests } from './looked-at.js';

/*
 * `npm run translations`: lists the texts whose English has changed since their translations were last looked at, in
 * all languages. `npm run translations -- --looked-at KEY…` records that their translations are up to date.
 */
const say = (line: string): boolean => process.stdout.write(`${line}\n`);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const { values, positionals } = parseArgs({
  options: { 'looked-at': { type: 'string', multiple: true } },
  allowPositionals: true,
});

const texts = translatedTexts((await writtenTexts()).texts);
const names = [...(values['looked-at'] ?? []), ...positionals];
const digests = lookedAt(texts, readDigests(root), names);
writeDigests(root, digests);
const { changed } = unreadTexts(texts, digests);
changed.forEach((text) => say(`${shown(text)}\n`));
say(
  changed.length === 0
    ? 'All translations were looked at after their English last changed.'
    : `Correct the translations of these ${changed.length} texts, then run npm run translations -- --looked-at KEY…`,
);
