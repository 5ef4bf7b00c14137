import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { z } from "zod";

/** All fields but the last three are public. */
const StoredBrief = z.object({
  id: z.string(),
  reference: z.string(),
  workspace_id: z.string(),
  status: z.string(),
  url: z.string(),
  due_date: z.string().nullable(),
  submitted: z.boolean(),
  final: z.boolean(),
  title: z.string(),
  body: z.string(),
  recipients: z.array(z.string()),
});
export type StoredBrief = z.output<typeof StoredBrief>;

const StoredState = z.object({
  briefs: z.array(StoredBrief),
  submissions: z.array(z.object({ key: z.string(), reference: z.string(), due_date: z.string() })),
});
type StoredState = z.output<typeof StoredState>;

/** In memory, and in a file if the state must survive the process. */
export interface StandInState {
  all(): StoredState;
  find(reference: string): StoredBrief | undefined;
  save(reference: string, change: Partial<StoredBrief>): StoredBrief;
  submissionOf(key: string): StoredState["submissions"][number] | undefined;
  noteSubmission(submission: StoredState["submissions"][number]): void;
}

export function openStandInState(file: string | undefined, address: () => string): StandInState {
  const state: StoredState =
    file !== undefined && existsSync(file)
      ? StoredState.parse(JSON.parse(readFileSync(file, "utf8")))
      : { briefs: [], submissions: [] };
  const keep = () => {
    if (file !== undefined) writeFileSync(file, JSON.stringify(state, null, 2));
  };
  const find = (reference: string) => state.briefs.find((brief) => brief.reference === reference);
  return {
    all: () => state,
    find,
    save(reference, change) {
      let brief = find(reference);
      if (!brief) {
        brief = newBrief(reference, address());
        state.briefs.push(brief);
      }
      Object.assign(brief, change);
      keep();
      return brief;
    },
    submissionOf: (key) => state.submissions.find((submission) => submission.key === key),
    noteSubmission(submission) {
      state.submissions.push(submission);
      keep();
    },
  };
}

function newBrief(reference: string, address: string): StoredBrief {
  const id = `pb_${randomUUID()}`;
  return {
    id,
    reference,
    workspace_id: "",
    status: "Draft",
    url: `${address}/app/briefs/${id}`,
    due_date: null,
    submitted: false,
    final: false,
    title: "",
    body: "",
    recipients: [],
  };
}
