import { readdir, readFile } from 'node:fs/promises';
import { expect } from 'chai';

/**
 * Numbers that belong to nobody: drama numbers of the Bundesnetzagentur, Arcep and Ofcom, 555-01xx of North America,
 * and the test numbers of svc and Twilio. The beginning of such a number is also allowed.
 */
const reserved =
  /^\+(491713920\d{0,3}|33[16]39980\d{3}|3319900\d{4}|4420794609\d{2}|4420794[56]0\d{3}|447700900\d{3}|1\d{3}55501\d{2}|1500555\d{4})$/;

/** A number with a country code: at least nine digits, with single spaces between them. */
const number = /(?<![\w+])\+[1-9](?:[ -]?\d){8,14}(?!\d)/g;

async function sourcesOf(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names
    .filter((name) => /\.(tsx?|md)$/.test(name) && !name.includes('.gen.'))
    .map((name) => `${folder}/${name}`);
}

describe('Example phone numbers', () => {
  it('are reserved ones in texts, examples and documents, so that nobody is texted by a reader who tries them', async () => {
    const paths = ['README.md', ...(await Promise.all(['core', 'plugins', 'docs', 'examples'].map(sourcesOf))).flat()];
    const real: string[] = [];
    for (const path of paths)
      for (const [found] of (await readFile(path, 'utf8')).matchAll(number))
        if (!reserved.test(found.replace(/[ -]/g, ''))) real.push(`${path}: ${found}`);
    expect(real).to.deep.equal([]);
  });
});
