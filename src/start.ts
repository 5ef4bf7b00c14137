import { startFailureText } from "./process/start-failure.ts";

// A too low limit on open files, or native modules of another Node.js version, fail while loading.
try {
  await import("./main.ts");
} catch (error) {
  // Rethrows an error without a code, which is a fault of the program and needs its stack trace.
  if (!(error instanceof Error && "code" in error)) throw error;
  process.stderr.write(`${startFailureText(error)}\n`);
  process.exitCode = 1;
}
