import { expect } from 'chai';
import { formTargetSource } from '#core/surfaces/pages/form-target.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';

const hostile = [
  'javascript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'blob:https://x.example/1',
  'file:///etc/passwd',
  'ftp://x.example',
  'x.example',
  'https://x.example; script-src *',
  'com.example;script-src:x',
  '',
];

describe('Form targets and redirects', () => {
  it('form targets are web origins or schemes of native apps', () => {
    expect(formTargetSource('https://App.example.com/callback?x=1#y')).to.equal('https://app.example.com');
    expect(formTargetSource('http://localhost:3000/x')).to.equal('http://localhost:3000');
    expect(formTargetSource('com.example.app:/callback')).to.equal('com.example.app:');
    for (const url of hostile) expect(() => formTargetSource(url), url).to.throw();
  });

  it('redirects lead to this server or to a form target', () => {
    const location = (url: string): string | undefined => seeOther(url).headers?.['Location'];
    expect(location('?done=1')).to.equal('?done=1');
    expect(location('/auth/x/account')).to.equal('/auth/x/account');
    expect(location('https://app.example.com/cb?svc_code=ü')).to.equal('https://app.example.com/cb?svc_code=%C3%BC');
    for (const url of [...hostile, '//evil.example', '/\\evil.example']) expect(() => seeOther(url), url).to.throw();
  });
});
