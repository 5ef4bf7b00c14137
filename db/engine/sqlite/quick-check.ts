import { DAMAGED_EXIT_CODE } from "./damage-search.ts";
import { Database } from "./sqlite.ts";
import { toStoreError } from "./sqlite-error.ts";
import { StoreError } from "../store-error.ts";

// Process that checks the whole database and reports by exit code; damage-search.ts starts it.

process.exitCode = isDamaged(process.argv[2] ?? "") ? DAMAGED_EXIT_CODE : 0;

function isDamaged(file: string): boolean {
  try {
    const connection = new Database(file, { readonly: true });
    return connection.pragma("quick_check(1)", { simple: true }) !== "ok";
  } catch (error) {
    const known = toStoreError(error);
    if (known instanceof StoreError && known.reason === "corrupt") return true;
    throw error;
  }
}
