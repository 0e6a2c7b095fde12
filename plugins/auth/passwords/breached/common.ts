import { createHash } from 'node:crypto';

/** Bytes of each entry. With 18,000 entries, one in 60 million other passwords has the same five bytes. */
const width = 5;

let loaded: Promise<Buffer> | undefined;

/** 90 KB, loaded when the first new password is checked. */
const load = async (): Promise<Buffer> => {
  const { commonPasswords } = await import('./common.gen.js');
  return Buffer.from(commonPasswords, 'base64');
};

/** Whether a password is one of the 18,000 most common passwords of at least eight characters, ignoring case. */
export async function isCommonPassword(password: string): Promise<boolean> {
  loaded ??= load();
  const list = await loaded;
  const wanted = createHash('sha1').update(password.toLowerCase()).digest().subarray(0, width);
  let [from, to] = [0, list.length / width];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const order = Buffer.compare(list.subarray(middle * width, (middle + 1) * width), wanted);
    if (order === 0) return true;
    if (order < 0) from = middle + 1;
    else to = middle;
  }
  return false;
}
