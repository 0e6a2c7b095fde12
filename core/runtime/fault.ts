/**
 * Set to `name:n` by test/faults: the process kills itself with SIGKILL when it reaches the crash point `name` for the
 * n-th time.
 */
const variable = 'SVC_FAULT';

interface Fault {
  name: string;
  /** At which pass to crash: 1 for the first. */
  pass: number;
}

/** @throws Error that names SVC_FAULT and its format */
function readFault(text: string | undefined): Fault | undefined {
  if (text === undefined || text === '') return undefined;
  const [, name, pass] = /^([a-z]+(?:\.[a-z]+)*):([1-9]\d{0,5})$/.exec(text) ?? [];
  if (name === undefined || pass === undefined) {
    throw new Error(
      `${variable} must be the name of a crash point and a number, such as commit.before:3, not "${text}". It is for tests only: remove it.`,
    );
  }
  return { name, pass: Number(pass) };
}

function arm({ name, pass }: Fault): (reached: string) => void {
  let passes = 0;
  return (reached) => {
    if (reached !== name) return;
    passes += 1;
    // SIGKILL, as in a power failure: nothing is flushed, closed or released.
    if (passes === pass) process.kill(process.pid, 'SIGKILL');
  };
}

const fault = readFault(process.env[variable]);

/** A point at which test/faults can crash the process. Does nothing outside of tests. */
export const crashPoint: (name: string) => void = fault ? arm(fault) : () => undefined;
