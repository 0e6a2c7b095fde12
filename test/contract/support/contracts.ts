import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Contract } from './contract.js';

const folder = fileURLToPath(new URL('../../', import.meta.url));

const isContract = (value: unknown): value is Contract => typeof value === 'object' && value !== null;

/** The contracts of all products that have one, by the product's name, found like the products themselves. */
async function findContracts(): Promise<ReadonlyMap<string, Contract>> {
  const found = new Map<string, Contract>();
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name, 'contract.ts');
    const exists =
      entry.isDirectory() &&
      (await access(path).then(
        () => true,
        () => false,
      ));
    if (!exists) continue;
    const loaded: unknown = await import(pathToFileURL(path).href);
    const contract: unknown = isContract(loaded) ? Reflect.get(loaded, 'default') : undefined;
    if (!isContract(contract))
      throw new Error(`test/${entry.name}/contract.ts has no defineContract({…}) as its default export.`);
    found.set(entry.name, contract);
  }
  return found;
}

export const contracts = await findContracts();

/** The environment in which the tests call an operation. */
export const sideFor = ({ name, product }: { name: string; product: string }): 'live' | 'test' =>
  contracts.get(product)?.testEnvironmentOnly?.includes(name) === true ? 'test' : 'live';
