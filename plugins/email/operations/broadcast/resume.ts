import { broadcastResume } from '#core/messaging/operations/broadcast/resume.js';
import { emailChannel } from '../../channel.js';

export default broadcastResume(emailChannel, {
  summary: 'Releases the held messages of a broadcast.',
  description:
    'Resumes a broadcast no matter why it is held: a pause, bounces, a closed account, the spending cap, a problem at its scheduled time, or a sender whose mail cannot be signed. A broadcast that had not started is scheduled again for its time, or for now if that time has passed. A broadcast that is held because of an overdue invoice resumes by itself after payment; raising the spending cap resumes nothing. Consent is checked again as each message is sent.',
  released: 'Messages that this call released.',
});
