import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { databaseAddress, placeOf } from '#core/runtime/database/address.js';
import { connectDatabase } from '#core/runtime/database/connect.js';
import { ensureDatabase } from '#core/runtime/database/server/create.js';
import { useDatabase } from '#test/support/use-database.js';
import { skipOnVitess } from '#test/support/vitess.js';

describe('The address of a database', () => {
  const test = useDatabase();

  it('is taken apart and decoded', () => {
    expect(databaseAddress('mysql://us%40er:p%2Fa%23%3F%25@[2001:db8::1]:3307/my%20data')).to.deep.equal({
      hosts: [{ host: '2001:db8::1', port: 3307 }],
      user: 'us@er',
      password: 'p/a#?%',
      database: 'my data',
    });
    expect(databaseAddress('mariadb://svc@db.example.com/svc')).to.deep.equal({
      hosts: [{ host: 'db.example.com', port: 3306 }],
      user: 'svc',
      password: '',
      database: 'svc',
    });
  });

  it('may name the Unix socket of a server on the same machine', () => {
    const address = databaseAddress('mysql://svc:secret@localhost/svc?socketPath=%2Frun%2Fmy%20sql%2Fa.sock');
    expect(address.hosts).to.deep.equal([{ host: 'localhost', port: 3306, socketPath: '/run/my sql/a.sock' }]);
    expect(placeOf(address)).to.equal('/run/my sql/a.sock');
    expect(placeOf(databaseAddress('mysql://svc@[::1]/svc'))).to.equal('[::1]:3306');
    for (const [url, says] of [
      ['mysql://svc@localhost/svc?socketPath=run/a.sock', 'absolute path'],
      ['mysql://svc@db.example.com/svc?socketPath=/run/a.sock', 'localhost and no port'],
      ['mysql://svc@localhost:3306/svc?socketPath=/run/a.sock', 'localhost and no port'],
      ['mysql://svc@localhost/svc?socketPath=/a&socketPath=/b', 'one socketPath'],
      ['mysql://svc@localhost/svc?socketPath=/a&charset=utf8', 'remove "charset"'],
    ] as const)
      expect(() => databaseAddress(url), url).to.throw(says);
  });

  it('may name several hosts, each with a port of its own', () => {
    const address = databaseAddress('mysql://svc:a,b%40c@db-1,db-2.example.com:3307,[2001:db8::1]:3308,[::1]/svc');
    expect(address).to.deep.equal({
      hosts: [
        { host: 'db-1', port: 3306 },
        { host: 'db-2.example.com', port: 3307 },
        { host: '2001:db8::1', port: 3308 },
        { host: '::1', port: 3306 },
      ],
      user: 'svc',
      password: 'a,b@c',
      database: 'svc',
    });
    expect(placeOf(address)).to.equal('db-1:3306, db-2.example.com:3307, [2001:db8::1]:3308, [::1]:3306');
    for (const [url, says] of [
      ['mysql://svc@a,/svc', 'several hosts with commas'],
      ['mysql://svc@a,b:x/svc', 'several hosts with commas'],
      ['mysql://svc@a,,b/svc', 'several hosts with commas'],
      ['mysql://svc@a,a:3306/svc', 'each host once'],
      ['mysql://svc@a,localhost/svc?socketPath=/run/a.sock', 'localhost and no port'],
      ['mysql://svc@a,b/', 'must name a database'],
    ] as const)
      expect(() => databaseAddress(url), url).to.throw(says);
  });

  it('may hold a database, a user and a password of any characters', async function () {
    skipOnVitess(this, 'users of the server');
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
