import { broadcastResume } from '#core/messaging/operations/broadcast/resume.js';
import { smsChannel } from '../../channel.js';

export default broadcastResume(smsChannel, {
  summary: 'Releases the held messages of an SMS broadcast.',
  description:
    'Resumes a broadcast no matter why it is held: a pause, a closed account, the spending cap, or a problem at its scheduled time. A broadcast that had not started is scheduled again for its time, or for now if that time has passed. A broadcast that is held because of an overdue invoice resumes by itself after payment; raising the spending cap resumes nothing. Consent and quiet hours are checked again as each message is sent.',
  released: 'Texts that this call released.',
});
