CREATE TABLE `action_tasks` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`action_id` text NOT NULL,
	`step` text NOT NULL,
	`position` integer NOT NULL,
	`title` text NOT NULL,
	`description` text NOT NULL,
	`implemented_at` integer,
	`baseline` text,
	`effect` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`action_id`) REFERENCES `recommended_actions`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `action_tasks_step` ON `action_tasks` (`action_id`,`step`);--> statement-breakpoint
CREATE TABLE `briefs` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`task_id` text NOT NULL,
	`title` text NOT NULL,
	`body` text NOT NULL,
	`is_user_edited` integer NOT NULL,
	`ready_at` integer,
	`status` text NOT NULL,
	`partner_brief_id` text,
	`partner_status` text,
	`partner_url` text,
	`partner_due_date` integer,
	`partner_synced_at` integer,
	`partner_submitted_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`task_id`) REFERENCES `action_tasks`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `briefs_task` ON `briefs` (`task_id`);--> statement-breakpoint
CREATE INDEX `briefs_partner` ON `briefs` (`partner_submitted_at`);--> statement-breakpoint
CREATE TABLE `content_briefs` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`analysis_id` text NOT NULL,
	`action_id` text,
	`collect_id` text NOT NULL,
	`collection_methods` text NOT NULL,
	`title` text NOT NULL,
	`target_prompts` text NOT NULL,
	`audience` text NOT NULL,
	`outline` text NOT NULL,
	`questions` text NOT NULL,
	`cited_sources` text NOT NULL,
	`entities` text NOT NULL,
	`evidence` text NOT NULL,
	`is_user_edited` integer NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`analysis_id`) REFERENCES `analyses`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`action_id`) REFERENCES `recommended_actions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`collect_id`) REFERENCES `collects`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `content_briefs_workspace` ON `content_briefs` (`workspace_id`,`id`);--> statement-breakpoint
CREATE INDEX `content_briefs_analysis` ON `content_briefs` (`analysis_id`);--> statement-breakpoint
CREATE TABLE `recommended_actions` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`analysis_id` text NOT NULL,
	`subject` text NOT NULL,
	`rule` text NOT NULL,
	`trigger_text` text NOT NULL,
	`action_label` text NOT NULL,
	`category` text NOT NULL,
	`channel` text NOT NULL,
	`description` text NOT NULL,
	`reasoning` text NOT NULL,
	`evidence` text NOT NULL,
	`evidence_count` integer NOT NULL,
	`score` real NOT NULL,
	`impact` text NOT NULL,
	`effort` text NOT NULL,
	`criticality` text NOT NULL,
	`timeline` text NOT NULL,
	`workflow_status` text NOT NULL,
	`dismiss_reason` text,
	`dismiss_comment` text,
	`collect_id` text NOT NULL,
	`collection_methods` text NOT NULL,
	`first_seen_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`resolved_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`analysis_id`) REFERENCES `analyses`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`collect_id`) REFERENCES `collects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `recommended_actions_identity` ON `recommended_actions` (`analysis_id`,`rule`,`subject`);--> statement-breakpoint
CREATE INDEX `recommended_actions_workspace` ON `recommended_actions` (`workspace_id`,`score`,`id`);