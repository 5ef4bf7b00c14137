import { AppError } from "../shared/errors.ts";
import type { WORKFLOW_STATUSES } from "./action.ts";

export type WorkflowStatus = (typeof WORKFLOW_STATUSES)[number];

/** Where an action can go from each state, and by which call. */
const NEXT: Record<WorkflowStatus, Partial<Record<WorkflowStatus, string>>> = {
  new: { confirmed: "confirm it with PATCH", dismissed: "dismiss it" },
  confirmed: { new: "set it back to new with PATCH", dismissed: "dismiss it" },
  dismissed: { new: "reconsider it" },
};

export function canMove(from: WorkflowStatus, to: WorkflowStatus): boolean {
  return NEXT[from][to] !== undefined;
}

/** The refusal of a step that the workflow does not have: says what can be done instead. */
export function invalidTransition(from: WorkflowStatus): AppError {
  const allowed = Object.values(NEXT[from]).join(", or ");
  return new AppError("UNPROCESSABLE", `The action is ${from}. Allowed now: ${allowed}.`);
}
