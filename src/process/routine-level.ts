/**
 * Level of routine lines. A terminal hides them, because a line per request would bury the
 * messages.
 */
export function routineLevel(): "debug" | "info" {
  return process.stdout.isTTY ? "debug" : "info";
}
