/** Whether this process runs from source, under a loader of TypeScript. */
const FROM_SOURCE = import.meta.url.endsWith(".ts");

/** Arguments of Node.js with which a process runs such a program. */
export const PROGRAM_LOADER: readonly string[] = FROM_SOURCE ? ["--import", import.meta.resolve("tsx")] : [];

/** The address of a program that runs in a process or thread of its own, such as `db/engine/sqlite/quick-check`: compiled if this process is. */
export function programFile(path: string): URL {
  return new URL(import.meta.resolve(FROM_SOURCE ? `#root/${path}.ts` : `#root/dist/${path}.js`));
}

/** The same for a thread: what a `Worker` is made of, and whether that is code. Threads do not take `--import`, as processes do. */
export function threadProgram(path: string): { program: URL | string; eval: boolean } {
  const file = programFile(path);
  if (!FROM_SOURCE) return { program: file, eval: false };
  const [loader, main] = [import.meta.resolve("tsx/esm/api"), file.href].map((url) => JSON.stringify(url));
  return {
    program: `import(${loader}).then(({ register }) => { register(); return import(${main}); })`,
    eval: true,
  };
}
