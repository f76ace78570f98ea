/** CPU time of this process in milliseconds. Unlike wall time, it hardly depends on the load of the machine. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
