import { createPrivateKey, type KeyObject } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { announceReady } from '#core/runtime/thread-cpu.js';
import { signMessage, type SigningKey } from './sign.js';

/** A key as it is sent to a thread. */
export interface Signer extends Omit<SigningKey, 'key'> {
  /** PKCS #8, PEM. */
  readonly privateKey: string;
}

/** One message to sign. */
export interface SignJob {
  readonly raw: Uint8Array;
  readonly signers: readonly Signer[];
  readonly at: Date;
  readonly unsigned: readonly string[];
}

/** For each job its DKIM-Signature fields, or the problem. */
export type SignReply = ({ fields: string } | { problem: string })[];

/** Reading a key takes half as long as signing with it. */
const keys = new Map<string, KeyObject>();
const maxKeys = 500;

function keyOf(pem: string): KeyObject {
  const known = keys.get(pem);
  if (known) return known;
  const key = createPrivateKey(pem);
  if (keys.size >= maxKeys) keys.clear();
  keys.set(pem, key);
  return key;
}

function answer({ raw, signers, at, unsigned }: SignJob): SignReply[number] {
  try {
    const signing = signers.map(({ privateKey, ...signer }) => ({ ...signer, key: keyOf(privateKey) }));
    return { fields: signMessage(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), signing, at, unsigned) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/* A thread of sign-pool.ts: answers each request in turn. */
parentPort?.on('message', (jobs: readonly SignJob[]) => {
  const reply: SignReply = jobs.map(answer);
  parentPort?.postMessage(reply);
});
announceReady();
