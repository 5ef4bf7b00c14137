import {
  ACTION_CATEGORIES,
  ACTION_CHANNELS,
  ACTION_RULES,
  BRIEF_STATUSES,
  CRITICALITIES,
  DISMISS_REASONS,
  LEVELS,
  TIMELINES,
  WORKFLOW_STATUSES,
  type Baseline,
  type Effect,
  type Evidence,
} from "../../../core/actions/action.ts";
import type {
  Audience,
  CitedSource,
  NamedEntity,
  OutlineSection,
  TargetPrompt,
} from "../../../core/briefs/content-brief.ts";
import type { CollectionMethod } from "../../../core/sources/sources.ts";
import { analyses, collects } from "../../analyses/schema/analyses.ts";
import {
  bool,
  float,
  id,
  foreignId,
  index,
  instant,
  int,
  json,
  oneOf,
  string,
  table,
  uniqueIndex,
} from "../../engine/columns.ts";
import { users } from "../../identity/schema/identity.ts";
import { workspaceColumns } from "../../identity/schema/tenant.ts";

/** Recommendations of an analysis. Rule and subject identify an action across collects. */
export const recommendedActions = table(
  "recommended_actions",
  {
    id: id("id").primaryKey(),
    ...workspaceColumns(),
    analysisId: foreignId("analysis_id", () => analyses.id),
    /** Subject within the analysis and rule, such as a topic and a channel, or a domain. */
    subject: string("subject").notNull(),
    rule: oneOf("rule", ACTION_RULES).notNull(),
    triggerText: string("trigger_text").notNull(),
    actionLabel: string("action_label").notNull(),
    category: oneOf("category", ACTION_CATEGORIES).notNull(),
    channel: oneOf("channel", ACTION_CHANNELS).notNull(),
    description: string("description").notNull(),
    reasoning: string("reasoning").notNull(),
    evidence: json<Evidence[]>("evidence").notNull(),
    evidenceCount: int("evidence_count").notNull(),
    score: float("score").notNull(),
    impact: oneOf("impact", LEVELS).notNull(),
    effort: oneOf("effort", LEVELS).notNull(),
    criticality: oneOf("criticality", CRITICALITIES).notNull(),
    timeline: oneOf("timeline", TIMELINES).notNull(),
    workflowStatus: oneOf("workflow_status", WORKFLOW_STATUSES).notNull(),
    dismissReason: oneOf("dismiss_reason", DISMISS_REASONS),
    dismissComment: string("dismiss_comment"),
    /** The latest collect in which the trigger of the action held. */
    collectId: foreignId("collect_id", () => collects.id),
    collectionMethods: json<CollectionMethod[]>("collection_methods").notNull(),
    firstSeenAt: instant("first_seen_at").notNull(),
    lastSeenAt: instant("last_seen_at").notNull(),
    /** When a collect first no longer showed the trigger; null while the trigger holds. */
    resolvedAt: instant("resolved_at"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [
    uniqueIndex("recommended_actions_identity").on(t.analysisId, t.rule, t.subject),
    index("recommended_actions_workspace").on(t.workspaceId, t.score, t.id),
  ],
);

export const actionTasks = table(
  "action_tasks",
  {
    id: id("id").primaryKey(),
    ...workspaceColumns(),
    actionId: foreignId("action_id", () => recommendedActions.id),
    /** Identifies the task among the tasks of its action when the action is updated. */
    step: string("step").notNull(),
    position: int("position").notNull(),
    title: string("title").notNull(),
    description: string("description").notNull(),
    implementedAt: instant("implemented_at"),
    baseline: json<Baseline>("baseline"),
    effect: json<Effect>("effect"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [uniqueIndex("action_tasks_step").on(t.actionId, t.step)],
);

/** Briefs for the writers of tasks (interface.md 2.1). */
export const briefs = table(
  "briefs",
  {
    id: id("id").primaryKey(),
    ...workspaceColumns(),
    taskId: foreignId("task_id", () => actionTasks.id),
    title: string("title").notNull(),
    body: string("body").notNull(),
    isUserEdited: bool("is_user_edited").notNull(),
    /** When the brief was first generated; null until then. */
    readyAt: instant("ready_at"),
    status: oneOf("status", BRIEF_STATUSES).notNull(),
    partnerBriefId: string("partner_brief_id"),
    partnerStatus: string("partner_status"),
    partnerUrl: string("partner_url"),
    partnerDueDate: instant("partner_due_date"),
    partnerSyncedAt: instant("partner_synced_at"),
    /** When the partner accepted the submission; null for a draft stored at the partner. */
    partnerSubmittedAt: instant("partner_submitted_at"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [uniqueIndex("briefs_task").on(t.taskId), index("briefs_partner").on(t.partnerSubmittedAt)],
);

export const contentBriefs = table(
  "content_briefs",
  {
    id: id("id").primaryKey(),
    ...workspaceColumns(),
    analysisId: foreignId("analysis_id", () => analyses.id),
    /** The action the brief is based on; null for a brief based on keywords. */
    actionId: id("action_id").references(() => recommendedActions.id),
    collectId: foreignId("collect_id", () => collects.id),
    collectionMethods: json<CollectionMethod[]>("collection_methods").notNull(),
    title: string("title").notNull(),
    targetPrompts: json<TargetPrompt[]>("target_prompts").notNull(),
    audience: json<Audience>("audience").notNull(),
    outline: json<OutlineSection[]>("outline").notNull(),
    questions: json<string[]>("questions").notNull(),
    citedSources: json<CitedSource[]>("cited_sources").notNull(),
    entities: json<NamedEntity[]>("entities").notNull(),
    evidence: json<Evidence[]>("evidence").notNull(),
    isUserEdited: bool("is_user_edited").notNull(),
    createdBy: foreignId("created_by", () => users.id),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [index("content_briefs_workspace").on(t.workspaceId, t.id), index("content_briefs_analysis").on(t.analysisId)],
);
