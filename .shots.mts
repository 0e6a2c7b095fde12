import { chromium } from 'playwright-core';
const [, , outPrefix, ...pairs] = process.argv;
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox','--disable-gpu','--disable-quic','--no-first-run','--disable-background-networking','--disable-component-update','--disable-sync'] });
for (const pair of pairs) {
  const [name, ...rest] = pair.split('='); const url = rest.join('=');
  for (const [size, viewport] of [['phone', { width: 390, height: 844 }], ['desk', { width: 1280, height: 800 }]] as const)
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ viewport, colorScheme, deviceScaleFactor: size==='phone'?2:1, locale: process.env.LOCALE_ ?? 'en' });
      const page = await context.newPage();
      page.on('console', (m) => console.log(name, size, colorScheme, m.type(), m.text()));
      page.on('request', (r) => { if (!r.url().startsWith('http://127.0.0.1')&&!r.url().startsWith('data:')) console.log('REQUEST', r.url()); });
      const a = await page.goto(url);
      await page.waitForTimeout(300);
      await page.screenshot({ path: `/tmp/pgshots/${name}-${size}-${colorScheme}.png`, fullPage: true });
      const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      console.log(name, size, colorScheme, a?.status(), 'overflow', wide);
      await context.close();
    }
}
await browser.close();
