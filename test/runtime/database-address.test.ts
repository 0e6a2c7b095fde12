import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { databaseAddress } from '#core/runtime/database/address.js';
import { connectDatabase } from '#core/runtime/database/connect.js';
import { ensureDatabase } from '#core/runtime/database/create.js';
import { useDatabase } from '#test/support/use-database.js';

describe('The address of a database', () => {
  const test = useDatabase();

  it('is taken apart and decoded', () => {
    expect(databaseAddress('mysql://us%40er:p%2Fa%23%3F%25@[2001:db8::1]:3307/my%20data')).to.deep.equal({
      host: '2001:db8::1',
      port: 3307,
      user: 'us@er',
      password: 'p/a#?%',
      database: 'my data',
    });
    expect(databaseAddress('mariadb://svc@db.example.com/svc')).to.deep.equal({
      host: 'db.example.com',
      port: 3306,
      user: 'svc',
      password: '',
      database: 'svc',
    });
  });

  it('may hold a database, a user and a password of any characters', async () => {
    const name = `svc test ${randomBytes(4).toString('hex')} 100%&?/#`;
    const user = `svc@${randomBytes(4).toString('hex')}`;
    const password = 'a:b@c/d?e#f%25&ä';
    await test.direct.run(`CREATE USER ?@'%' IDENTIFIED BY ?`, [user, password]);
    await test.direct.run(`GRANT ALL PRIVILEGES ON *.* TO ?@'%'`, [user]);
    const url = new URL(test.url);
    url.username = encodeURIComponent(user);
    url.password = encodeURIComponent(password);
    url.pathname = `/${encodeURIComponent(name)}`;
    try {
      await ensureDatabase({ url: url.href });
      const database = await connectDatabase({ url: url.href, poolSize: 4 });
      const [row] = await database.rows<{ name: string; user: string }>('SELECT DATABASE() AS name, USER() AS user');
      await database.close();
      expect(row?.name).to.equal(name);
      expect(row?.user).to.match(new RegExp(`^${user}@`));
    } finally {
      await test.direct.run(`DROP USER ?@'%'`, [user]);
      await test.direct.run(`DROP DATABASE IF EXISTS \`${name}\``);
    }
  });
});
