import express, { type Express, type NextFunction, type Request, type Response } from "express";
import { z } from "zod";
import { STAND_IN_FAULTS, STAND_IN_STEPS, type StandInControl } from "./stand-in-control.ts";
import type { StandInState, StoredBrief } from "./stand-in-state.ts";

// Simulates the partner of docs/integrations.md for demos and tests.

export interface StandInOptions {
  token: string;
  workspaceIds: readonly string[];
  maxLength: number;
  state: StandInState;
  control: StandInControl;
}

const Draft = z.object({ workspace_id: z.string(), title: z.string().min(1), body: z.string() });
const Submission = z.object({ due_date: z.iso.datetime({ offset: true }), recipients: z.array(z.string()) });
const Control = z.strictObject({
  fail: z.enum(STAND_IN_FAULTS).nullish(),
  hold: z.enum(STAND_IN_STEPS).nullish(),
  keep: z.boolean().default(false),
});
const Edit = z.strictObject({
  status: z.string().optional(),
  final: z.boolean().optional(),
  url: z.string().optional(),
});

class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

export function standInPartner(options: StandInOptions): Express {
  const { state, control } = options;
  const app = express();
  app.disable("x-powered-by");
  app.use(express.json({ limit: "4mb", type: () => true }));
  watchAndControl(app, options);

  app.use("/v1", (request, _response, next) => {
    const refused = control.fail === "token_refused" || request.get("authorization") !== `Bearer ${options.token}`;
    if (refused) throw new Refusal(401, "unauthorized");
    next();
  });
  app.get("/v1/workspaces/:id", async (request, response) => {
    await control.reach("workspace_asked");
    if (control.fail === "workspace_unavailable") return void response.status(503).end();
    if (control.fail === "workspace_unknown" || !options.workspaceIds.includes(request.params.id)) {
      throw new Refusal(404, "workspace_not_found");
    }
    return void response.json({ id: request.params.id, name: request.params.id });
  });
  app.put("/v1/briefs/:reference", async (request, response) => {
    await control.reach("draft_asked");
    if (control.failsBeforeAnswer(response, "draft")) return;
    const { reference } = request.params;
    const { workspace_id, title, body } = parsed(Draft, request.body);
    if (state.find(reference)?.submitted) throw new Refusal(409, "already_submitted");
    const isTooLong = control.fail === "content_too_long" || title.length + body.length > options.maxLength;
    if (isTooLong) throw new Refusal(422, "content_too_long");
    const brief = state.save(reference, { workspace_id, title, body });
    await control.reach("draft_stored");
    response.json(shown(brief));
  });
  app.post("/v1/briefs/:reference/submission", async (request, response) => {
    await control.reach("submission_asked");
    if (control.failsBeforeAnswer(response, "submission")) return;
    const brief = submit(options, request);
    await control.reach("submission_accepted");
    if (control.failsAfterAcceptance(response)) return;
    response.json(shown(brief));
    await control.reach("submission_answered");
  });
  app.get("/v1/briefs/:reference", (request, response) => {
    if (control.failsBeforeAnswer(response, "reading")) return;
    const brief = state.find(request.params.reference);
    if (!brief) throw new Refusal(404, "brief_not_found");
    response.json(shown(brief));
  });
  app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) return next(error);
    const { status, code } = error instanceof Refusal ? error : { status: 400, code: "bad_request" };
    return void response.status(status).json({ error: { code, message: `Refused: ${code}.` } });
  });
  return app;
}

/** Idempotent per Idempotency-Key: a repeat returns the same brief; another key is rejected. */
function submit({ state, control }: StandInOptions, request: Request): StoredBrief {
  const reference = String(request.params["reference"]);
  const key = request.get("idempotency-key") ?? "";
  const { due_date, recipients } = parsed(Submission, request.body);
  const brief = state.find(reference);
  if (!brief || key === "") throw new Refusal(brief ? 400 : 404, brief ? "key_missing" : "brief_not_found");
  const repeated = state.submissionOf(key);
  if (repeated) {
    if (repeated.reference === reference && repeated.due_date === due_date) return brief;
    throw new Refusal(409, "key_mismatch");
  }
  if (brief.submitted) throw new Refusal(409, "already_submitted");
  if (control.fail === "rejected") throw new Refusal(422, "title_taken");
  if (Date.parse(due_date) <= Date.now()) throw new Refusal(422, "due_date_past");
  if (control.fail === "recipients_missing" || recipients.length === 0) throw new Refusal(422, "recipients_missing");
  const areUnknown = control.fail === "recipients_invalid" || recipients.some((one) => one.endsWith(".invalid"));
  if (areUnknown) throw new Refusal(422, "recipients_invalid");
  state.noteSubmission({ key, reference, due_date });
  return state.save(reference, { due_date, recipients, submitted: true, status: "Submitted to writers" });
}

/** Inspection and control routes need no token, because the process listens only on loopback. */
function watchAndControl(app: Express, { state, control }: StandInOptions): void {
  app.get("/briefs", (_request, response) => void response.json(state.all()));
  app.get("/control", (_request, response) => {
    response.json({ fail: control.fail, hold: control.hold, faults: STAND_IN_FAULTS, steps: STAND_IN_STEPS });
  });
  app.put("/control", (request, response) => {
    const { fail, hold, keep } = parsed(Control, request.body);
    if (fail !== undefined) control.fail = fail;
    if (hold !== undefined) control.setHold(hold, keep);
    response.json({ fail: control.fail, hold: control.hold });
  });
  app.get("/control/held/:count", async (request, response) => {
    await control.held(Number(request.params.count));
    response.json({ step: control.hold });
  });
  app.patch("/control/briefs/:reference", (request, response) => {
    if (!state.find(request.params.reference)) throw new Refusal(404, "brief_not_found");
    response.json(state.save(request.params.reference, withoutUndefined(parsed(Edit, request.body))));
  });
}

function parsed<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw new Refusal(422, "invalid");
}

function withoutUndefined(edit: z.output<typeof Edit>): Partial<StoredBrief> {
  const { status, final, url } = edit;
  return {
    ...(status === undefined ? {} : { status }),
    ...(final === undefined ? {} : { final }),
    ...(url === undefined ? {} : { url }),
  };
}

function shown({ id, reference, workspace_id, status, url, due_date, submitted, final }: StoredBrief) {
  return { id, reference, workspace_id, status, url, due_date, submitted, final };
}
