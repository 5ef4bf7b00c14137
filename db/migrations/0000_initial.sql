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
CREATE INDEX `recommended_actions_workspace` ON `recommended_actions` (`workspace_id`,`score`,`id`);--> statement-breakpoint
CREATE TABLE `asset_evaluations` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`name_folded` text NOT NULL,
	`status` text NOT NULL,
	`status_reason` text,
	`asset_class` text NOT NULL,
	`category` text NOT NULL,
	`attributes` text NOT NULL,
	`brand_id` text,
	`language` text NOT NULL,
	`run` integer NOT NULL,
	`planned` integer NOT NULL,
	`judged` integer NOT NULL,
	`score` real,
	`unit_credits` integer NOT NULL,
	`reserved_credits` integer NOT NULL,
	`cost_credits` integer NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`started_at` integer,
	`finished_at` integer,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `asset_evaluations_workspace` ON `asset_evaluations` (`workspace_id`,`id`);--> statement-breakpoint
CREATE TABLE `asset_scores` (
	`evaluation_id` text NOT NULL,
	`run` integer NOT NULL,
	`position` integer NOT NULL,
	`asset_id` text NOT NULL,
	`status` text NOT NULL,
	`reason` text,
	`score` integer,
	`explanation` text,
	`quotes` text NOT NULL,
	`attributes` text NOT NULL,
	`dropped_quotes` integer NOT NULL,
	`scorer` text,
	`finished_at` integer,
	PRIMARY KEY(`evaluation_id`, `run`, `position`),
	FOREIGN KEY (`evaluation_id`) REFERENCES `asset_evaluations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`asset_id`) REFERENCES `assets`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `asset_scores_asset` ON `asset_scores` (`asset_id`);--> statement-breakpoint
CREATE TABLE `errands` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text,
	`endpoint` text NOT NULL,
	`subject_id` text NOT NULL,
	`user_id` text NOT NULL,
	`idempotency_key` text,
	`input_hash` text NOT NULL,
	`plan` text NOT NULL,
	`audit` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `errands_subject` ON `errands` (`endpoint`,`subject_id`);--> statement-breakpoint
CREATE INDEX `errands_key` ON `errands` (`user_id`,`endpoint`,`idempotency_key`);--> statement-breakpoint
CREATE TABLE `partner_connections` (
	`workspace_id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`partner_workspace_id` text NOT NULL,
	`sealed_token` text NOT NULL,
	`token_hint` text NOT NULL,
	`recipients` text NOT NULL,
	`max_brief_length` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `partner_watches` (
	`brief_id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`since` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `platform_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`connection_id` text NOT NULL,
	`platform` text NOT NULL,
	`external_id` text NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`is_reachable` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`connection_id`) REFERENCES `platform_connections`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `platform_accounts_external` ON `platform_accounts` (`connection_id`,`external_id`);--> statement-breakpoint
CREATE INDEX `platform_accounts_workspace` ON `platform_accounts` (`workspace_id`,`id`);--> statement-breakpoint
CREATE TABLE `platform_connections` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`platform` text NOT NULL,
	`status` text NOT NULL,
	`problem` text,
	`scopes` text NOT NULL,
	`sealed_tokens` text NOT NULL,
	`expires_at` integer,
	`refresh_at` integer,
	`refresh_owner` text,
	`refresh_lease_end` integer,
	`refresh_pending` integer NOT NULL,
	`refreshed_at` integer NOT NULL,
	`accounts_listed_at` integer,
	`connected_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`connected_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `platform_connections_workspace` ON `platform_connections` (`workspace_id`,`platform`);--> statement-breakpoint
CREATE TABLE `platform_consents` (
	`state_hash` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`platform` text NOT NULL,
	`session_hash` text NOT NULL,
	`sealed_proof` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `platform_consents_expiry` ON `platform_consents` (`expires_at`);--> statement-breakpoint
CREATE TABLE `asset_texts` (
	`asset_id` text PRIMARY KEY NOT NULL,
	`text` text NOT NULL,
	FOREIGN KEY (`asset_id`) REFERENCES `assets`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `assets` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`name_folded` text NOT NULL,
	`type` text NOT NULL,
	`media_type` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`has_file` integer NOT NULL,
	`status` text NOT NULL,
	`status_reason` text,
	`word_count` integer,
	`text_length` integer,
	`excerpt` text,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `assets_workspace` ON `assets` (`workspace_id`,`id`);--> statement-breakpoint
CREATE INDEX `assets_organization` ON `assets` (`organization_id`,`status`,`size_bytes`);--> statement-breakpoint
CREATE INDEX `assets_file` ON `assets` (`sha256`,`has_file`);--> statement-breakpoint
CREATE TABLE `file_holds` (
	`id` text PRIMARY KEY NOT NULL,
	`sha256` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `file_holds_file` ON `file_holds` (`sha256`);--> statement-breakpoint
CREATE INDEX `file_holds_age` ON `file_holds` (`created_at`);--> statement-breakpoint
CREATE TABLE `brands` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`name_folded` text NOT NULL,
	`domains` text NOT NULL,
	`aliases` text NOT NULL,
	`excluded_phrases` text NOT NULL,
	`kind` text NOT NULL,
	`parent_id` text,
	`relationship` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`parent_id`) REFERENCES `brands`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `brands_name` ON `brands` (`workspace_id`,`name_folded`);--> statement-breakpoint
CREATE INDEX `brands_workspace` ON `brands` (`workspace_id`,`id`);--> statement-breakpoint
CREATE INDEX `brands_parent` ON `brands` (`parent_id`);--> statement-breakpoint
CREATE TABLE `personas` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`archetype` text NOT NULL,
	`description` text NOT NULL,
	`demographic` text NOT NULL,
	`motivations` text NOT NULL,
	`pain_points` text NOT NULL,
	`core_questions` text NOT NULL,
	`language` text NOT NULL,
	`country` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `personas_workspace` ON `personas` (`workspace_id`,`id`);--> statement-breakpoint
CREATE TABLE `audit_log` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`organization_id` text,
	`workspace_id` text,
	`user_id` text,
	`client_id` text,
	`door` text NOT NULL,
	`endpoint` text NOT NULL,
	`arguments_hash` text NOT NULL,
	`scopes` text NOT NULL,
	`confirmation` text NOT NULL,
	`cost_credits` integer,
	`outcome` text NOT NULL,
	`request_id` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_organization` ON `audit_log` (`organization_id`,`at`,`id`);--> statement-breakpoint
CREATE TABLE `credit_balances` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`available` integer NOT NULL,
	`reserved` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`user_id` text NOT NULL,
	`endpoint` text NOT NULL,
	`key` text NOT NULL,
	`input_hash` text NOT NULL,
	`response` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `endpoint`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_age` ON `idempotency_keys` (`created_at`);--> statement-breakpoint
CREATE TABLE `ledger_entries` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`kind` text NOT NULL,
	`available_delta` integer NOT NULL,
	`reserved_delta` integer NOT NULL,
	`workspace_id` text,
	`analysis_id` text,
	`collect_id` text,
	`evaluation_id` text,
	`quote_id` text,
	`user_id` text,
	`note` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `ledger_organization` ON `ledger_entries` (`organization_id`,`id`);--> statement-breakpoint
CREATE INDEX `ledger_month` ON `ledger_entries` (`organization_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `quotes` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`setup` text NOT NULL,
	`cost` text NOT NULL,
	`total_credits` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	`declined_at` integer,
	`approved_at` integer,
	`result_id` text,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `quotes_expiry` ON `quotes` (`expires_at`);--> statement-breakpoint
CREATE TABLE `brand_suggestions` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`text` text NOT NULL,
	`folded` text NOT NULL,
	`lead` text,
	`occurrences` integer NOT NULL,
	`confidence` real NOT NULL,
	`signals` text NOT NULL,
	`examples` text NOT NULL,
	`status` text NOT NULL,
	`listed` integer NOT NULL,
	`brand_id` text,
	`merged_alias` text,
	`first_seen_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`brand_id`) REFERENCES `brands`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `brand_suggestions_name` ON `brand_suggestions` (`workspace_id`,`folded`);--> statement-breakpoint
CREATE INDEX `brand_suggestions_occurrences` ON `brand_suggestions` (`workspace_id`,`occurrences`,`id`);--> statement-breakpoint
CREATE INDEX `brand_suggestions_confidence` ON `brand_suggestions` (`workspace_id`,`confidence`,`id`);--> statement-breakpoint
CREATE INDEX `brand_suggestions_brand` ON `brand_suggestions` (`brand_id`);--> statement-breakpoint
CREATE TABLE `name_sightings` (
	`workspace_id` text NOT NULL,
	`collect_id` text NOT NULL,
	`folded` text NOT NULL,
	`text` text NOT NULL,
	`answers` integer NOT NULL,
	`alone` integer NOT NULL,
	`leads` text NOT NULL,
	`signals` text NOT NULL,
	`sources` text NOT NULL,
	`examples` text NOT NULL,
	`first_seen_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	PRIMARY KEY(`collect_id`, `folded`),
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`collect_id`) REFERENCES `collects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `name_sightings_name` ON `name_sightings` (`workspace_id`,`folded`,`collect_id`);--> statement-breakpoint
CREATE TABLE `analysis_tags` (
	`analysis_id` text NOT NULL,
	`tag_id` text NOT NULL,
	PRIMARY KEY(`analysis_id`, `tag_id`),
	FOREIGN KEY (`analysis_id`) REFERENCES `analyses`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tag_id`) REFERENCES `tags`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `analysis_tags_tag` ON `analysis_tags` (`tag_id`,`analysis_id`);--> statement-breakpoint
CREATE TABLE `asset_tags` (
	`asset_id` text NOT NULL,
	`tag_id` text NOT NULL,
	PRIMARY KEY(`asset_id`, `tag_id`),
	FOREIGN KEY (`asset_id`) REFERENCES `assets`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tag_id`) REFERENCES `tags`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `asset_tags_tag` ON `asset_tags` (`tag_id`,`asset_id`);--> statement-breakpoint
CREATE TABLE `tags` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text,
	`parent_id` text,
	`name` text NOT NULL,
	`color` text,
	`position` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`parent_id`) REFERENCES `tags`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `tags_siblings` ON `tags` (`organization_id`,`workspace_id`,`parent_id`,`position`);--> statement-breakpoint
CREATE INDEX `tags_parent` ON `tags` (`parent_id`);--> statement-breakpoint
CREATE TABLE `background_jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text,
	`kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`not_before` integer NOT NULL,
	`lease_owner` text,
	`progress` text,
	`failure_reason` text,
	`created_at` integer NOT NULL,
	`finished_at` integer,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `background_jobs_ready` ON `background_jobs` (`status`,`not_before`,`id`);--> statement-breakpoint
CREATE INDEX `background_jobs_subject` ON `background_jobs` (`subject_id`,`kind`,`id`);--> statement-breakpoint
CREATE TABLE `organization_domains` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`domain` text NOT NULL,
	`token` text NOT NULL,
	`created_at` integer NOT NULL,
	`verified_at` integer,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `organization_domains_claim` ON `organization_domains` (`organization_id`,`domain`);--> statement-breakpoint
CREATE UNIQUE INDEX `organization_domains_owner` ON `organization_domains` (`domain`) WHERE verified_at is not null;--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`user_id` text NOT NULL,
	`organization_id` text,
	`workspace_id` text,
	`role` text,
	`signed_in_through` text,
	`made_with_key_id` text,
	`rotated_to_id` text,
	`key_hash` text NOT NULL,
	`hint` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	`revoked_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`signed_in_through`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash` ON `api_keys` (`key_hash`);--> statement-breakpoint
CREATE INDEX `api_keys_user` ON `api_keys` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `api_keys_organization` ON `api_keys` (`organization_id`);--> statement-breakpoint
CREATE TABLE `oauth_records` (
	`model` text NOT NULL,
	`id` text NOT NULL,
	`payload` text NOT NULL,
	`grant_id` text,
	`uid` text,
	`account_id` text,
	`client_id` text,
	`note` text,
	`signed_in_through` text,
	`created_at` integer NOT NULL,
	`consumed_at` integer,
	`expires_at` integer,
	`first_used_at` integer,
	`last_used_at` integer,
	PRIMARY KEY(`model`, `id`),
	FOREIGN KEY (`signed_in_through`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `oauth_records_grant` ON `oauth_records` (`grant_id`);--> statement-breakpoint
CREATE INDEX `oauth_records_uid` ON `oauth_records` (`uid`);--> statement-breakpoint
CREATE INDEX `oauth_records_account` ON `oauth_records` (`account_id`,`model`);--> statement-breakpoint
CREATE INDEX `oauth_records_expiry` ON `oauth_records` (`expires_at`);--> statement-breakpoint
CREATE TABLE `one_time_links` (
	`secret_hash` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`user_id` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `organization_members` (
	`organization_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text NOT NULL,
	`suspended_at` integer,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `user_id`),
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `organization_members_user` ON `organization_members` (`user_id`,`organization_id`);--> statement-breakpoint
CREATE TABLE `organizations` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`plan` text NOT NULL,
	`modules` text NOT NULL,
	`quotas` text NOT NULL,
	`monthly_credit_cap` integer,
	`approval_above_credits` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `refresh_tokens` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`family_id` text NOT NULL,
	`api_key_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`rotated_at` integer,
	FOREIGN KEY (`api_key_id`) REFERENCES `api_keys`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `refresh_tokens_family` ON `refresh_tokens` (`family_id`);--> statement-breakpoint
CREATE INDEX `refresh_tokens_expiry` ON `refresh_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `signing_keys` (
	`kid` text PRIMARY KEY NOT NULL,
	`public_jwk` text NOT NULL,
	`sealed_private_jwk` text NOT NULL,
	`created_at` integer NOT NULL,
	`retired_at` integer
);
--> statement-breakpoint
CREATE TABLE `token_families` (
	`id` text PRIMARY KEY NOT NULL,
	`api_key_id` text,
	`user_id` text,
	`signed_in_through` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`api_key_id`) REFERENCES `api_keys`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`signed_in_through`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `token_families_user` ON `token_families` (`user_id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`password_hash` text,
	`managed_by_organization_id` text,
	`disabled_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`managed_by_organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (`email`);--> statement-breakpoint
CREATE TABLE `web_sessions` (
	`id_hash` text PRIMARY KEY NOT NULL,
	`id` text DEFAULT '' NOT NULL,
	`user_id` text NOT NULL,
	`signed_in_through` text,
	`browser` text,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`signed_in_through`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `web_sessions_expiry` ON `web_sessions` (`expires_at`);--> statement-breakpoint
CREATE INDEX `web_sessions_user` ON `web_sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `web_sessions_id` ON `web_sessions` (`id`);--> statement-breakpoint
CREATE TABLE `workspace_members` (
	`workspace_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `user_id`),
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `workspace_members_user` ON `workspace_members` (`user_id`,`workspace_id`);--> statement-breakpoint
CREATE TABLE `workspaces` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`name` text NOT NULL,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `workspaces_organization` ON `workspaces` (`organization_id`,`id`);--> statement-breakpoint
CREATE TABLE `favourites` (
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `subject_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`email` text NOT NULL,
	`role` text NOT NULL,
	`workspace_roles` text NOT NULL,
	`secret_hash` text NOT NULL,
	`invited_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`accepted_at` integer,
	`accepted_by` text,
	`revoked_at` integer,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`invited_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_secret` ON `invitations` (`secret_hash`);--> statement-breakpoint
CREATE INDEX `invitations_organization` ON `invitations` (`organization_id`,`id`);--> statement-breakpoint
CREATE TABLE `saml_assertions` (
	`organization_id` text NOT NULL,
	`assertion_hash` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `assertion_hash`),
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `saml_assertions_expiry` ON `saml_assertions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `scim_group_members` (
	`group_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`scim_user_id` text NOT NULL,
	PRIMARY KEY(`group_id`, `scim_user_id`),
	FOREIGN KEY (`group_id`) REFERENCES `scim_groups`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`scim_user_id`) REFERENCES `scim_users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `scim_group_members_user` ON `scim_group_members` (`scim_user_id`,`group_id`);--> statement-breakpoint
CREATE TABLE `scim_groups` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`external_id` text,
	`display_name` text NOT NULL,
	`display_name_key` text NOT NULL,
	`organization_role` text,
	`workspace_id` text,
	`workspace_role` text,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `scim_groups_organization` ON `scim_groups` (`organization_id`,`id`);--> statement-breakpoint
CREATE INDEX `scim_groups_name` ON `scim_groups` (`organization_id`,`display_name_key`);--> statement-breakpoint
CREATE INDEX `scim_groups_external` ON `scim_groups` (`organization_id`,`external_id`);--> statement-breakpoint
CREATE TABLE `scim_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`name` text NOT NULL,
	`token_hash` text NOT NULL,
	`hint` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	`revoked_at` integer,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `scim_tokens_hash` ON `scim_tokens` (`token_hash`);--> statement-breakpoint
CREATE INDEX `scim_tokens_organization` ON `scim_tokens` (`organization_id`,`id`);--> statement-breakpoint
CREATE TABLE `scim_users` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`user_id` text NOT NULL,
	`external_id` text,
	`user_name` text NOT NULL,
	`user_name_key` text NOT NULL,
	`details` text NOT NULL,
	`base_role` text NOT NULL,
	`given_role` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `scim_users_user` ON `scim_users` (`organization_id`,`user_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `scim_users_name` ON `scim_users` (`organization_id`,`user_name_key`);--> statement-breakpoint
CREATE INDEX `scim_users_external` ON `scim_users` (`organization_id`,`external_id`);--> statement-breakpoint
CREATE INDEX `scim_users_organization` ON `scim_users` (`organization_id`,`id`);--> statement-breakpoint
CREATE TABLE `scim_workspace_roles` (
	`scim_user_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`given_role` text NOT NULL,
	`base_role` text,
	PRIMARY KEY(`scim_user_id`, `workspace_id`),
	FOREIGN KEY (`scim_user_id`) REFERENCES `scim_users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `installation_secrets` (
	`name` text PRIMARY KEY NOT NULL,
	`sealed_value` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `external_identities` (
	`organization_id` text NOT NULL,
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `issuer`, `subject`),
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `external_identities_user` ON `external_identities` (`user_id`,`organization_id`);--> statement-breakpoint
CREATE TABLE `sso_codes` (
	`code_hash` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`user_id` text NOT NULL,
	`browser_hash` text,
	`for_program` integer DEFAULT false NOT NULL,
	`loopback_uri` text,
	`initiated_by` text NOT NULL,
	`relay_path` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `sso_codes_expiry` ON `sso_codes` (`expires_at`);--> statement-breakpoint
CREATE TABLE `sso_configurations` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`protocol` text NOT NULL,
	`issuer` text NOT NULL,
	`client_id` text,
	`sealed_client_secret` text,
	`scopes` text NOT NULL,
	`sign_in_url` text,
	`certificates` text NOT NULL,
	`email_claim` text NOT NULL,
	`name_claim` text NOT NULL,
	`groups_claim` text NOT NULL,
	`trusts_email` integer NOT NULL,
	`allowed_domains` text NOT NULL,
	`makes_accounts` integer NOT NULL,
	`default_role` text NOT NULL,
	`group_roles` text NOT NULL,
	`accepts_idp_initiated` integer NOT NULL,
	`is_required` integer NOT NULL,
	`last_used_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `sso_logins` (
	`state_hash` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`browser_hash` text NOT NULL,
	`request_id` text,
	`initiated_by` text NOT NULL,
	`relay_path` text NOT NULL,
	`for_program` integer NOT NULL,
	`loopback_uri` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `sso_logins_expiry` ON `sso_logins` (`expires_at`);--> statement-breakpoint
CREATE TABLE `analyses` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`type` text NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`status_reason` text,
	`brand_id` text NOT NULL,
	`setup` text NOT NULL,
	`schedule` text NOT NULL,
	`ends_at` integer,
	`planned_collects` integer NOT NULL,
	`unit_credits` integer NOT NULL,
	`next_collect_at` integer,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`brand_id`) REFERENCES `brands`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `analyses_workspace` ON `analyses` (`workspace_id`,`id`);--> statement-breakpoint
CREATE INDEX `analyses_due` ON `analyses` (`next_collect_at`);--> statement-breakpoint
CREATE INDEX `analyses_organization` ON `analyses` (`organization_id`,`id`);--> statement-breakpoint
CREATE TABLE `analysis_competitors` (
	`analysis_id` text NOT NULL,
	`brand_id` text NOT NULL,
	PRIMARY KEY(`analysis_id`, `brand_id`),
	FOREIGN KEY (`analysis_id`) REFERENCES `analyses`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`brand_id`) REFERENCES `brands`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `analysis_competitors_brand` ON `analysis_competitors` (`brand_id`);--> statement-breakpoint
CREATE TABLE `collects` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`analysis_id` text NOT NULL,
	`number` integer NOT NULL,
	`status` text NOT NULL,
	`planned` integer NOT NULL,
	`succeeded` integer NOT NULL,
	`failed` integer NOT NULL,
	`unit_credits` integer NOT NULL,
	`reserved_credits` integer NOT NULL,
	`cost_credits` integer NOT NULL,
	`collection_methods` text DEFAULT '[]' NOT NULL,
	`created_at` integer NOT NULL,
	`started_at` integer,
	`finished_at` integer,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`analysis_id`) REFERENCES `analyses`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `collects_number` ON `collects` (`analysis_id`,`number`);--> statement-breakpoint
CREATE INDEX `collects_open` ON `collects` (`status`,`id`);--> statement-breakpoint
CREATE TABLE `facets` (
	`id` text PRIMARY KEY NOT NULL,
	`analysis_id` text NOT NULL,
	`kind` text NOT NULL,
	`parent_id` text,
	`name` text NOT NULL,
	`position` integer NOT NULL,
	FOREIGN KEY (`analysis_id`) REFERENCES `analyses`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `facets_analysis` ON `facets` (`analysis_id`,`kind`,`position`);--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`collect_id` text NOT NULL,
	`keyword_id` text NOT NULL,
	`source` text NOT NULL,
	`run` integer NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`not_before` integer NOT NULL,
	`lease_owner` text,
	`failure_reason` text,
	`finished_at` integer,
	FOREIGN KEY (`collect_id`) REFERENCES `collects`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`keyword_id`) REFERENCES `keywords`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `jobs_question` ON `jobs` (`collect_id`,`keyword_id`,`source`,`run`);--> statement-breakpoint
CREATE INDEX `jobs_ready` ON `jobs` (`status`,`not_before`,`id`,`source`);--> statement-breakpoint
CREATE INDEX `jobs_collect` ON `jobs` (`collect_id`,`status`);--> statement-breakpoint
CREATE TABLE `keywords` (
	`id` text PRIMARY KEY NOT NULL,
	`analysis_id` text NOT NULL,
	`position` integer NOT NULL,
	`text` text NOT NULL,
	`type` text NOT NULL,
	`funnel_stage` text,
	`thematic_id` text NOT NULL,
	`topic_id` text NOT NULL,
	`persona_id` text,
	`strength_id` text,
	`weakness_id` text,
	`related_product_id` text,
	`sub_brand_id` text,
	`intent` text NOT NULL,
	`search_volume` integer,
	`trends` text,
	`search_interest_trends` text,
	`related_queries` text,
	FOREIGN KEY (`analysis_id`) REFERENCES `analyses`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`thematic_id`) REFERENCES `facets`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`topic_id`) REFERENCES `facets`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`persona_id`) REFERENCES `personas`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`strength_id`) REFERENCES `facets`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`weakness_id`) REFERENCES `facets`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`related_product_id`) REFERENCES `facets`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`sub_brand_id`) REFERENCES `facets`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `keywords_analysis` ON `keywords` (`analysis_id`,`position`);--> statement-breakpoint
CREATE TABLE `answers` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`analysis_id` text NOT NULL,
	`collect_id` text NOT NULL,
	`job_id` text,
	`keyword_id` text NOT NULL,
	`source` text NOT NULL,
	`run` integer NOT NULL,
	`prompt` text NOT NULL,
	`text` text NOT NULL,
	`results` text NOT NULL,
	`raw_body` text NOT NULL,
	`provider` text NOT NULL,
	`model` text,
	`locale` text NOT NULL,
	`collection_method` text NOT NULL,
	`cost_credits` integer NOT NULL,
	`cost_usd` real,
	`collected_at` integer NOT NULL,
	`eligible` integer NOT NULL,
	`reading_version` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`analysis_id`) REFERENCES `analyses`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`collect_id`) REFERENCES `collects`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`job_id`) REFERENCES `jobs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`keyword_id`) REFERENCES `keywords`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `answers_question` ON `answers` (`collect_id`,`keyword_id`,`source`,`run`);--> statement-breakpoint
CREATE INDEX `answers_analysis` ON `answers` (`analysis_id`,`id`);--> statement-breakpoint
CREATE INDEX `answers_collect` ON `answers` (`collect_id`,`id`);--> statement-breakpoint
CREATE INDEX `answers_keyword` ON `answers` (`keyword_id`,`id`);--> statement-breakpoint
CREATE TABLE `brand_rollups` (
	`collect_id` text NOT NULL,
	`source` text NOT NULL,
	`keyword_type` text NOT NULL,
	`brand_id` text NOT NULL,
	`occurrences` integer NOT NULL,
	`total_mentions` integer NOT NULL,
	`keyword_count` integer NOT NULL,
	`rank_sum` real NOT NULL,
	`weight_sum` real NOT NULL,
	PRIMARY KEY(`collect_id`, `source`, `keyword_type`, `brand_id`),
	FOREIGN KEY (`collect_id`) REFERENCES `collects`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`brand_id`) REFERENCES `brands`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `brand_rollups_brand` ON `brand_rollups` (`brand_id`);--> statement-breakpoint
CREATE TABLE `citations` (
	`answer_id` text NOT NULL,
	`position` integer NOT NULL,
	`url` text NOT NULL,
	`title` text,
	`domain` text NOT NULL,
	`competitor_type` text NOT NULL,
	`brand_id` text,
	PRIMARY KEY(`answer_id`, `position`),
	FOREIGN KEY (`answer_id`) REFERENCES `answers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`brand_id`) REFERENCES `brands`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `citations_brand` ON `citations` (`brand_id`);--> statement-breakpoint
CREATE TABLE `cited_pages` (
	`collect_id` text NOT NULL,
	`source` text NOT NULL,
	`domain` text NOT NULL,
	`url` text NOT NULL,
	`competitor_type` text NOT NULL,
	`brand_id` text,
	`answers` integer NOT NULL,
	`citations` integer NOT NULL,
	PRIMARY KEY(`collect_id`, `source`, `domain`, `url`),
	FOREIGN KEY (`collect_id`) REFERENCES `collects`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`brand_id`) REFERENCES `brands`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `cited_pages_brand` ON `cited_pages` (`brand_id`);--> statement-breakpoint
CREATE TABLE `collect_facts` (
	`collect_id` text NOT NULL,
	`source` text NOT NULL,
	`facts` blob NOT NULL,
	PRIMARY KEY(`collect_id`, `source`),
	FOREIGN KEY (`collect_id`) REFERENCES `collects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `collect_totals` (
	`collect_id` text NOT NULL,
	`source` text NOT NULL,
	`keyword_type` text NOT NULL,
	`total` integer NOT NULL,
	PRIMARY KEY(`collect_id`, `source`, `keyword_type`),
	FOREIGN KEY (`collect_id`) REFERENCES `collects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `keyword_channels` (
	`collect_id` text NOT NULL,
	`source` text NOT NULL,
	`channels` blob NOT NULL,
	PRIMARY KEY(`collect_id`, `source`),
	FOREIGN KEY (`collect_id`) REFERENCES `collects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `mentions` (
	`answer_id` text NOT NULL,
	`brand_id` text NOT NULL,
	`alias` text NOT NULL,
	`start` integer NOT NULL,
	`end` integer NOT NULL,
	PRIMARY KEY(`answer_id`, `start`, `brand_id`),
	FOREIGN KEY (`answer_id`) REFERENCES `answers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`brand_id`) REFERENCES `brands`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `mentions_brand` ON `mentions` (`brand_id`);--> statement-breakpoint
CREATE TABLE `places` (
	`answer_id` text NOT NULL,
	`brand_id` text NOT NULL,
	`rank` integer NOT NULL,
	`mentions` integer NOT NULL,
	`url` text,
	PRIMARY KEY(`answer_id`, `brand_id`),
	FOREIGN KEY (`answer_id`) REFERENCES `answers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`brand_id`) REFERENCES `brands`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `places_brand` ON `places` (`brand_id`);--> statement-breakpoint
CREATE TABLE `provider_spend` (
	`provider` text NOT NULL,
	`month` text NOT NULL,
	`usd` real NOT NULL,
	PRIMARY KEY(`provider`, `month`)
);
