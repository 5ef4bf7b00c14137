import { deleteRows } from "../engine/rows.ts";
import type { Db } from "../engine/store.ts";

export async function deletePendingSignIns({ q, t }: Db, userId: string): Promise<void> {
  for (const table of [t.oneTimeLinks, t.ssoCodes, t.factorChallenges, t.heldForms]) {
    await deleteRows(q, table, { userId });
  }
}
