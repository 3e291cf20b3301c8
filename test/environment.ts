export async function withVariable<T>(name: string, value: string, work: () => T): Promise<Awaited<T>> {
  const before = process.env[name];
  process.env[name] = value;
  try {
    return await work();
  } finally {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  }
}
