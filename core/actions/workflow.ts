import { AppError } from "../shared/errors.ts";
import type { WORKFLOW_STATUSES } from "./action.ts";

export type WorkflowStatus = (typeof WORKFLOW_STATUSES)[number];

/** Transitions by status, with the call that performs them. */
const WORKFLOW_TRANSITIONS: Record<WorkflowStatus, Partial<Record<WorkflowStatus, string>>> = {
  new: { confirmed: "confirm it with PATCH", dismissed: "dismiss it" },
  confirmed: { new: "set it back to new with PATCH", dismissed: "dismiss it" },
  dismissed: { new: "reconsider it" },
};

export function canMove(from: WorkflowStatus, to: WorkflowStatus): boolean {
  return WORKFLOW_TRANSITIONS[from][to] !== undefined;
}

export function invalidTransition(from: WorkflowStatus): AppError {
  const allowed = Object.values(WORKFLOW_TRANSITIONS[from]).join(", or ");
  return new AppError("UNPROCESSABLE", `The action is ${from}. Allowed now: ${allowed}.`);
}
