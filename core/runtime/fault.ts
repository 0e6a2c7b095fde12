/** Set to `name:n` by the fault harness: at the n-th pass of that point the process kills itself, as kill -9 would. */
const variable = 'SVC_FAULT';

interface Fault {
  name: string;
  pass: number;
}

/** @throws Error that names SVC_FAULT and its form */
function readFault(text: string | undefined): Fault | undefined {
  if (text === undefined || text === '') return undefined;
  const [, name, pass] = /^([a-z]+(?:\.[a-z]+)*):([1-9]\d{0,5})$/.exec(text) ?? [];
  if (name === undefined || pass === undefined) {
    throw new Error(
      `${variable} must be the name of a crash point and at which pass to die, such as commit.before:3, not "${text}". Only tests set it: remove it.`,
    );
  }
  return { name, pass: Number(pass) };
}

function arm({ name, pass }: Fault): (reached: string) => void {
  let passes = 0;
  return (reached) => {
    if (reached !== name) return;
    passes += 1;
    // SIGKILL: nothing is flushed, closed or given back, exactly as when the machine goes.
    if (passes === pass) process.kill(process.pid, 'SIGKILL');
  };
}

const fault = readFault(process.env[variable]);

/** A place where the process may be made to die, for test/faults. Outside of tests it does nothing at all. */
export const crashPoint: (name: string) => void = fault ? arm(fault) : () => undefined;
