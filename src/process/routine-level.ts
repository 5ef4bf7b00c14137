/**
 * The level of lines that only say that all is as usual. A person at a terminal reads what the service says of itself: there, a
 * line for every request would bury it.
 */
export function routineLevel(): "debug" | "info" {
  return process.stdout.isTTY ? "debug" : "info";
}
