/** CPU time of this process, in milliseconds since some moment: it grows with what is worked out, and hardly with what else the machine does. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
