import { isRecord, parseJson, textAt } from '#core/runtime/json.js';
import type { Entry } from '../files/entry.js';
import { jsonRecords } from '../files/json.js';
import { startOf } from '../files/text.js';
import type { Found, MoveSettings, Note, Place } from '../found.js';
import { left, note, unknownLayout, type Source } from './source.js';
import { addressOf, firebaseHash, fullName, phoneOf, refuseWithout } from './users.js';

/*
 * `firebase auth:export users.json --format=json` writes {"users": […]} with the fields of
 * https://github.com/firebase/firebase-tools, src/accountExporter.ts (EXPORTED_JSON_KEYS). Its CSV has no header line,
 * and is not read. The hash is Firebase's scrypt; the exporter leaves out hashes of other kinds.
 */

export const firebase: Source = {
  service: 'Firebase',
  moves: 'users',
  async prepare(entries, settings) {
    for (const entry of entries) await requireLayout(entry);
    return async function* () {
      for (const entry of entries)
        for await (const { place, value } of jsonRecords(entry, { wrappers: ['users'] }))
          yield found(place, value, settings);
    };
  },
};

async function requireLayout(entry: Entry): Promise<void> {
  const expected = [['localId', 'email', 'emailVerified', 'passwordHash', 'salt', '…']];
  const help = 'Export the users with `firebase auth:export users.json --format=json`.';
  const start = await startOf(entry, 200);
  if (!/^[[{]/.test(start)) throw unknownLayout(entry, [start.split('\n', 1)[0]?.slice(0, 60) ?? ''], expected, help);
  for await (const { value } of jsonRecords(entry, { wrappers: ['users'] })) {
    if (textAt(value, 'localId') !== null) return;
    throw unknownLayout(entry, Object.keys(value), expected, help);
  }
}

function found(place: Place, value: Readonly<Record<string, unknown>>, settings: MoveSettings): Found {
  const text = (name: string): string => textAt(value, name) ?? '';
  const externalId = text('localId');
  if (externalId === '') return left(place, text('email'), 'the record has no localId');
  if (text('email') === '' && text('phoneNumber') === '')
    return left(place, externalId, 'a user without an address and number: anonymous, or of a custom provider', false);
  const notes: Note[] = [];
  const milliseconds = Number(text('createdAt') || Number.NaN);
  const attributes = parseJson(text('customAttributes'));
  if (text('customAttributes') !== '' && !isRecord(attributes))
    notes.push(note(place, externalId, 'customAttributes is not a JSON object'));
  return {
    place,
    notes,
    user: {
      row: {
        externalId,
        ...addressOf(text('email'), value['emailVerified'] === true, place, externalId, notes),
        // Firebase only stores numbers that were proven.
        ...phoneOf(text('phoneNumber'), true, place, externalId, notes),
        ...fullName(text('displayName')),
        ...passwordOf(text('passwordHash'), text('salt'), settings),
        // Date has no later time (ECMA-262, Time Values).
        ...(Math.abs(milliseconds) <= 8.64e15 ? { createdAt: new Date(milliseconds).toISOString() } : {}),
        ...(isRecord(attributes) && Object.keys(attributes).length > 0 ? { metadata: attributes } : {}),
      },
      further: [],
      privateMetadata: undefined,
      banned: value['disabled'] === true ? 'Disabled at Firebase.' : undefined,
    },
  };
}

function passwordOf(hash: string, salt: string, settings: MoveSettings): { passwordHash?: string } {
  if (hash === '' || !settings.passwords) return {};
  if (!settings.firebase)
    refuseWithout(
      settings,
      'The users have passwords, and their hash parameters are missing.',
      'Pass --hash-key, --salt-separator, --rounds and --mem-cost, as the Firebase console shows them under Authentication, Users, Password hash parameters.',
    );
  return settings.firebase ? { passwordHash: firebaseHash(hash, salt, settings.firebase) } : {};
}
