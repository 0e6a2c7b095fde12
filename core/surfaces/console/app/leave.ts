import { signOut } from '../kit/client.js';
import { forgetDrafts } from '../kit/draft.js';
import { toast } from '../kit/toast.js';
import { forgetWork } from '../kit/work.js';

/** Signs out, or forgets the key, and shows the way back in. A failure is said in a toast. */
export async function leave(): Promise<void> {
  try {
    await signOut();
    forgetDrafts();
    forgetWork();
    location.assign('/console');
  } catch (error) {
    toast(`You are still signed in. ${error instanceof Error ? error.message : String(error)}`);
  }
}
