import {
  choiceColumn,
  digestColumn,
  exactColumn,
  flagColumn,
  idColumn,
  jsonColumn,
  nullable,
  smallintColumn,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';
import type { SignInMethod } from './sign-in-methods.js';

/** What a challenge proves once it is completed. */
const challengePurposes = [
  'signin_code',
  'signin_link',
  'identity',
  'passkey_signin',
  'passkey_register',
  'second_factor',
] as const;
export type ChallengePurpose = (typeof challengePurposes)[number];

/** Started proofs: codes, links, passkey ceremonies, second steps. Deleted a day after they expire. */
export const challenges = defineTable('auth_challenge', {
  id: idColumn(),
  environmentId: uuidColumn(),
  purpose: choiceColumn(challengePurposes, 16),
  /** Null before a sign-in has proven who it is. */
  userId: nullable(uuidColumn()),
  identityKind: nullable(exactColumn(5)),
  identityKey: nullable(exactColumn(330)),
  /** The address or number to prove. */
  identityValue: nullable(textColumn(330)),
  /** Keyed digest of the code, SHA-256 of a token. */
  secretDigest: nullable(digestColumn()),
  /** base64url. */
  webauthnChallenge: nullable(exactColumn(86)),
  /** The methods that a sign-in waiting for its second step has passed. */
  methods: jsonColumn<SignInMethod[]>(),
  /** The identity or passkey that such a sign-in has proven. */
  openedBy: nullable(uuidColumn()),
  attempts: smallintColumn(),
  redirectTo: nullable(textColumn(2048)),
  handoff: flagColumn(),
  /** See ReturnTarget. */
  appState: nullable(exactColumn(256)),
  appChallenge: nullable(exactColumn(43)),
  locale: nullable(exactColumn(35)),
  createdAt: timeColumn(),
  expiresAt: timeColumn(),
  completedAt: nullable(timeColumn()),
});

export type ChallengeRow = RowOf<typeof challenges>;
