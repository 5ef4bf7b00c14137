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
CREATE INDEX `audit_organization` ON `audit_log` (`organization_id`,`id`);--> statement-breakpoint
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
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`user_id` text NOT NULL,
	`organization_id` text,
	`workspace_id` text,
	`role` text,
	`made_with_key_id` text,
	`key_hash` text NOT NULL,
	`hint` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	`revoked_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash` ON `api_keys` (`key_hash`);--> statement-breakpoint
CREATE INDEX `api_keys_user` ON `api_keys` (`user_id`,`id`);--> statement-breakpoint
CREATE TABLE `oauth_records` (
	`model` text NOT NULL,
	`id` text NOT NULL,
	`payload` text NOT NULL,
	`grant_id` text,
	`uid` text,
	`account_id` text,
	`client_id` text,
	`note` text,
	`created_at` integer NOT NULL,
	`consumed_at` integer,
	`expires_at` integer,
	`last_used_at` integer,
	PRIMARY KEY(`model`, `id`)
);
--> statement-breakpoint
CREATE INDEX `oauth_records_grant` ON `oauth_records` (`grant_id`);--> statement-breakpoint
CREATE INDEX `oauth_records_uid` ON `oauth_records` (`uid`);--> statement-breakpoint
CREATE INDEX `oauth_records_account` ON `oauth_records` (`account_id`,`model`);--> statement-breakpoint
CREATE INDEX `oauth_records_expiry` ON `oauth_records` (`expires_at`);--> statement-breakpoint
CREATE TABLE `one_time_links` (
	`secret_hash` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `organization_members` (
	`organization_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text NOT NULL,
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
	`api_key_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`api_key_id`) REFERENCES `api_keys`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`password_hash` text,
	`disabled_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (`email`);--> statement-breakpoint
CREATE TABLE `web_sessions` (
	`id_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `web_sessions_expiry` ON `web_sessions` (`expires_at`);--> statement-breakpoint
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
CREATE TABLE `provider_spend` (
	`provider` text NOT NULL,
	`month` text NOT NULL,
	`usd` real NOT NULL,
	PRIMARY KEY(`provider`, `month`)
);
