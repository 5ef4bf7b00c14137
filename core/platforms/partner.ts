import type { Instant } from "../shared/time.ts";

// The partner writes briefs. What it says is text from outside: shown as data, never part of a message of ours.

/** A brief as the partner has it. */
export interface PartnerBrief {
  id: string;
  /** In the partner's words. */
  status: string;
  url: string | null;
  dueDate: Instant | null;
  /** True once it was submitted; before that it is a draft. */
  submitted: boolean;
  /** True if the partner says that the status will not change any more. */
  final: boolean;
}

export interface PartnerDraft {
  /** Our id of the brief: the partner keeps one brief for each. */
  reference: string;
  partnerWorkspaceId: string;
  title: string;
  body: string;
}

export interface PartnerSubmission {
  reference: string;
  /** The same for every repeat of one submission. */
  idempotencyKey: string;
  dueDate: Instant;
  recipients: readonly string[];
}

/** The brief-authoring tool, for one workspace's token. Every call can be repeated. Throws PartnerFault. */
export interface Partner {
  /** Resolves where the partner has this workspace and the token reaches it. */
  findWorkspace(token: string, partnerWorkspaceId: string): Promise<void>;
  /** Creates the brief as a draft, or updates the draft that has this reference. */
  saveDraft(token: string, draft: PartnerDraft): Promise<PartnerBrief>;
  submit(token: string, submission: PartnerSubmission): Promise<PartnerBrief>;
  /** Undefined if the partner has no brief of this reference. */
  readBrief(token: string, reference: string): Promise<PartnerBrief | undefined>;
}

export type PartnerFaultKind =
  /** Not reached, not in time, or it says that it cannot serve now. */
  | "unavailable"
  /** An answer that the protocol does not know. */
  | "unexpected"
  /** The token is refused, or reaches no such workspace. */
  | "not_connected"
  | "recipients_missing"
  | "recipients_invalid"
  | "content_too_long"
  | "rejected"
  | "already_submitted";

/** Why the partner did not do what was asked. Holds no text of the partner's. */
export class PartnerFault extends Error {
  override name = "PartnerFault";
  readonly kind: PartnerFaultKind;
  /** How long the partner asks to wait. */
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: PartnerFaultKind,
    message: string,
    options: { cause?: unknown; retryAfterMs?: number | undefined } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs;
  }
}
