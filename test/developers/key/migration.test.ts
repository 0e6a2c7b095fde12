import { expect } from 'chai';
import { up } from '#migrations/developers/0003_account_keys.js';
import { idBytes } from '#core/runtime/id.js';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { firstKey, makeKey } from './support.js';

describe('The migration of keys that belong to the account', () => {
  const platform = usePlatform();

  itNeeding('email')(
    'detaches first keys of signup, first start and bootstrap from their owner, and no others',
    async () => {
      const account = await platform.account();
      const { database } = platform.running.services;
      const [bySignup, byMember] = [await firstKey(account), await makeKey(platform, account, ['email:read'])];
      await database.run('UPDATE developers_key SET member_id = ?', [idBytes(account.memberId)]);
      await database.run('UPDATE developers_key SET created_by = ? WHERE id = ?', [
        'account.signup',
        idBytes(bySignup),
      ]);
      for (const statement of [...up, ...up]) await database.run(statement);
      const detached = async (id: string): Promise<boolean> =>
        (await platform.count('developers_key', `id = 0x${id.replaceAll('-', '')} AND member_id IS NULL`)) === 1;
      expect([await detached(bySignup), await detached(byMember.id)]).to.deep.equal([true, false]);
    },
  );
});
