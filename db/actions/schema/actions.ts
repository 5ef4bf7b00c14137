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
import * as c from "../../engine/columns.ts";
import { users } from "../../identity/schema/identity.ts";
import { workspaceColumns } from "../../identity/schema/tenant.ts";

/** Rule and subject identify an action across collects. */
export const recommendedActions = c.table(
  "recommended_actions",
  {
    id: c.id("id").primaryKey(),
    ...workspaceColumns(),
    analysisId: c.foreignId("analysis_id", () => analyses.id),
    /** Subject within the analysis and rule, such as a topic and a channel, or a domain. */
    subject: c.string("subject").notNull(),
    rule: c.oneOf("rule", ACTION_RULES).notNull(),
    triggerText: c.string("trigger_text").notNull(),
    actionLabel: c.string("action_label").notNull(),
    category: c.oneOf("category", ACTION_CATEGORIES).notNull(),
    channel: c.oneOf("channel", ACTION_CHANNELS).notNull(),
    description: c.string("description").notNull(),
    reasoning: c.string("reasoning").notNull(),
    evidence: c.json<Evidence[]>("evidence").notNull(),
    evidenceCount: c.int("evidence_count").notNull(),
    score: c.float("score").notNull(),
    impact: c.oneOf("impact", LEVELS).notNull(),
    effort: c.oneOf("effort", LEVELS).notNull(),
    criticality: c.oneOf("criticality", CRITICALITIES).notNull(),
    timeline: c.oneOf("timeline", TIMELINES).notNull(),
    workflowStatus: c.oneOf("workflow_status", WORKFLOW_STATUSES).notNull(),
    dismissReason: c.oneOf("dismiss_reason", DISMISS_REASONS),
    dismissComment: c.string("dismiss_comment"),
    /** The latest collect in which the trigger of the action held. */
    collectId: c.foreignId("collect_id", () => collects.id),
    collectionMethods: c.json<CollectionMethod[]>("collection_methods").notNull(),
    firstSeenAt: c.instant("first_seen_at").notNull(),
    lastSeenAt: c.instant("last_seen_at").notNull(),
    /** When a collect first no longer showed the trigger; null while the trigger holds. */
    resolvedAt: c.instant("resolved_at"),
    createdAt: c.instant("created_at").notNull(),
    updatedAt: c.instant("updated_at").notNull(),
  },
  (t) => [
    c.uniqueIndex("recommended_actions_identity").on(t.analysisId, t.rule, t.subject),
    c.index("recommended_actions_workspace").on(t.workspaceId, t.score, t.id),
  ],
);

export const actionTasks = c.table(
  "action_tasks",
  {
    id: c.id("id").primaryKey(),
    ...workspaceColumns(),
    actionId: c.foreignId("action_id", () => recommendedActions.id),
    step: c.string("step").notNull(),
    position: c.int("position").notNull(),
    title: c.string("title").notNull(),
    description: c.string("description").notNull(),
    implementedAt: c.instant("implemented_at"),
    baseline: c.json<Baseline>("baseline"),
    effect: c.json<Effect>("effect"),
    createdAt: c.instant("created_at").notNull(),
    updatedAt: c.instant("updated_at").notNull(),
  },
  (t) => [c.uniqueIndex("action_tasks_step").on(t.actionId, t.step)],
);

export const briefs = c.table(
  "briefs",
  {
    id: c.id("id").primaryKey(),
    ...workspaceColumns(),
    taskId: c.foreignId("task_id", () => actionTasks.id),
    title: c.string("title").notNull(),
    body: c.string("body").notNull(),
    isUserEdited: c.bool("is_user_edited").notNull(),
    readyAt: c.instant("ready_at"),
    status: c.oneOf("status", BRIEF_STATUSES).notNull(),
    partnerBriefId: c.string("partner_brief_id"),
    partnerStatus: c.string("partner_status"),
    partnerUrl: c.string("partner_url"),
    partnerDueDate: c.instant("partner_due_date"),
    partnerSyncedAt: c.instant("partner_synced_at"),
    /** When the partner accepted the submission; null for a draft stored at the partner. */
    partnerSubmittedAt: c.instant("partner_submitted_at"),
    createdAt: c.instant("created_at").notNull(),
    updatedAt: c.instant("updated_at").notNull(),
  },
  (t) => [c.uniqueIndex("briefs_task").on(t.taskId), c.index("briefs_partner").on(t.partnerSubmittedAt)],
);

export const contentBriefs = c.table(
  "content_briefs",
  {
    id: c.id("id").primaryKey(),
    ...workspaceColumns(),
    analysisId: c.foreignId("analysis_id", () => analyses.id),
    /** The action the brief is based on; null for a brief based on keywords. */
    actionId: c.id("action_id").references(() => recommendedActions.id),
    collectId: c.foreignId("collect_id", () => collects.id),
    collectionMethods: c.json<CollectionMethod[]>("collection_methods").notNull(),
    title: c.string("title").notNull(),
    targetPrompts: c.json<TargetPrompt[]>("target_prompts").notNull(),
    audience: c.json<Audience>("audience").notNull(),
    outline: c.json<OutlineSection[]>("outline").notNull(),
    questions: c.json<string[]>("questions").notNull(),
    citedSources: c.json<CitedSource[]>("cited_sources").notNull(),
    entities: c.json<NamedEntity[]>("entities").notNull(),
    evidence: c.json<Evidence[]>("evidence").notNull(),
    isUserEdited: c.bool("is_user_edited").notNull(),
    createdBy: c.foreignId("created_by", () => users.id),
    createdAt: c.instant("created_at").notNull(),
    updatedAt: c.instant("updated_at").notNull(),
  },
  (t) => [
    c.index("content_briefs_workspace").on(t.workspaceId, t.id),
    c.index("content_briefs_analysis").on(t.analysisId),
  ],
);
