// Written by `npm run generate` from the folders of plugins/. Only types are used: the server finds plugins by scanning.
import account from './account/index.js';
import audience from './audience/index.js';
import auth from './auth/index.js';
import billing from './billing/index.js';
import developers from './developers/index.js';
import email from './email/index.js';
import sms from './sms/index.js';

export const plugins = [account, audience, auth, billing, developers, email, sms] as const;
