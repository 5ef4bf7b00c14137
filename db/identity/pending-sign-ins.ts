import { deleteRows } from "../engine/rows.ts";
import type { Db } from "../engine/store.ts";

/** Ends what could still become a sign-in of this account: links to set a password, one-time codes, and forms that wait. */
export async function deletePendingSignIns({ q, t }: Db, userId: string): Promise<void> {
  for (const table of [t.oneTimeLinks, t.ssoCodes, t.factorChallenges, t.heldForms]) {
    await deleteRows(q, table, { userId });
  }
}
