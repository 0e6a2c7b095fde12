import { expect } from 'chai';
import type { Environment } from '#core/kernel/caller/caller.js';
import { transactionalMail, type SystemMail } from '#plugins/email/ports.js';
import { looks } from '#test/account/theme/looks.js';
import { days, hours, minutes } from '#test/support/clock.js';
import type { TestAccount } from '#test/support/platform.js';
import type { ReceivedMail } from '#test/support/smtp-receiver.js';
import { startTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.js';
import { send, sqlId, useMail } from './support.js';
